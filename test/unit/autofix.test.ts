import { describe, expect, it } from 'vitest';
import { autofix } from '../../server/src/autofix.ts';
import type { Safety } from '../../server/src/expression/compiled.ts';
import { emptyReport, type FileReport, type Linter } from '../../server/src/linter.ts';
import { summarise } from '../../server/src/report/summary.ts';
import type { Finding, Fix } from '../../server/src/rules/finding.ts';
import type { Host } from '../../server/src/value/host.ts';
import { loadKnowledge, testLinter } from '../support/knowledge.ts';
import { memoryHost } from '../support/memoryHost.ts';

const shared = '/repository/model.sh';
const files: { readonly [path: string]: string } = {
  '/repository/a.sh': 'source model.sh\n',
  '/repository/b.sh': 'source model.sh # fixable\n',
  '/repository/c.sh': 'echo\n',
  [shared]: 'LAYERS=30\n',
};
const inputs = ['/repository/a.sh', '/repository/b.sh', '/repository/c.sh'].map((path) => ({
  path,
  text: files[path] ?? '',
}));

/** A linter with one rule: scripts that use the shared file report 30 layers, and one of them knows the fix. */
function linterOver(
  host: Host,
  linted: string[],
  safety: Safety = 'safe',
  before: readonly Fix[] = [],
): Linter {
  const lint = (path: string, text: string): FileReport => {
    linted.push(path);
    const report = { ...emptyReport(path, text), sources: text.startsWith('source') ? [shared] : [] };
    if (report.sources.length === 0 || host.read(shared) !== 'LAYERS=30\n') return report;
    const place = { path: shared, span: { start: 7, end: 9 } };
    const fix = { title: '32', safety, cost: undefined };
    return {
      ...report,
      findings: [
        {
          rule: 'layers',
          severity: 'error',
          certainty: 'certain',
          phase: 'startup',
          message: 'thirty',
          framework: undefined,
          place,
          related: [],
          settings: [],
          fixes: text.includes('fixable')
            ? [...before, { ...fix, edits: [{ ...place, newText: '32' }] }]
            : [],
          tags: [],
        },
      ],
    };
  };
  return { lint, ruleIds: () => ['layers'] };
}

describe('fixing files that use each other', () => {
  it('reports each in its final state', () => {
    const { texts, reports } = autofix(inputs, memoryHost(files), (host) => linterOver(host, []), {
      suggested: false,
    });
    expect([...texts]).toEqual([[shared, 'LAYERS=32\n']]);
    expect(reports.map(({ path, findings }) => [path, findings.length])).toEqual(
      inputs.map(({ path }) => [path, 0]),
    );
  });

  it.each([
    ['safe', false, true],
    ['suggested', false, false],
    ['suggested', true, true],
    ['example', true, false],
  ] as const)('applies a fix that is %s: suggested ones %s', (safety, suggested, isApplied) => {
    const makeLinter = (host: Host): Linter => linterOver(host, [], safety);
    const { texts, applied } = autofix(inputs, memoryHost(files), makeLinter, { suggested });
    expect(texts.has(shared)).toBe(isApplied);
    expect(applied.map(({ path }) => path)).toEqual(isApplied ? [shared] : []);
  });

  it('applies no fix that follows an example', () => {
    const example: Fix = { title: '/models/base', safety: 'example', cost: undefined, edits: [] };
    const makeLinter = (host: Host): Linter => linterOver(host, [], 'suggested', [example]);
    const { texts, reports } = autofix(inputs, memoryHost(files), makeLinter, { suggested: true });
    expect([...texts]).toEqual([]);
    expect(summarise(reports).fixable).toEqual({ safe: 0, suggested: 0 });
  });

  it('reuses existing reports while they are valid', () => {
    const linted: string[] = [];
    const known = new Map(
      inputs.map(({ path, text }) => [path, linterOver(memoryHost(files), []).lint(path, text)]),
    );
    const open = (host: Host): Linter => linterOver(host, linted);
    const { reports } = autofix(inputs, memoryHost(files), open, { suggested: false, known });
    expect(linted).toEqual(['/repository/b.sh', '/repository/a.sh']);
    expect(reports.flatMap(({ findings }) => findings)).toEqual([]);
  });
});

describe('two fixes that undo each other', () => {
  /** Takes 2 for too little and 4 for too much. */
  const wavering: Linter = {
    ruleIds: () => ['two', 'four'],
    lint: (path, text) => {
      const other = text.trim() === '2' ? '4' : '2';
      const place = { path, span: { start: 0, end: 1 } };
      const finding = {
        rule: other === '4' ? 'two' : 'four',
        severity: 'error',
        certainty: 'certain',
        phase: 'startup',
        message: `not ${text.trim()}`,
        framework: undefined,
        place,
        related: [],
        settings: [],
        fixes: [{ title: other, safety: 'safe', cost: undefined, edits: [{ ...place, newText: other }] }],
        tags: [],
      } as const;
      return { ...emptyReport(path, text), findings: [finding] };
    },
  };

  it('are not applied alternately', () => {
    const file = { path: '/repository/run.sh', text: '2\n' };
    const { applied } = autofix([file], memoryHost({ [file.path]: file.text }), () => wavering, {
      suggested: true,
    });
    expect(applied.map(({ title }) => title)).toEqual(['4']);
  });
});

it('a fix in a configuration is not applied if it would stop a script that overrides the key', () => {
  const knowledge = loadKnowledge();
  const config = '/repository/grpo.yaml';
  const base = knowledge.frameworks.get('areal')?.base.yaml ?? '';
  const text = base.replace('total_train_epochs:', 'total_train_epoch:');
  const program = 'config, _ = load_expr_config(args, GRPOConfig)\nPPOTrainer(config)\n';
  const mended = (words: string): string | undefined => {
    const all = {
      '/repository/train.py': program,
      '/repository/run.sh': `python3 train.py --config grpo.yaml scheduler.type=local ${words}\n`,
      [config]: text,
    };
    const host = memoryHost(all);
    const open = (over: Host): Linter => testLinter(knowledge, over);
    const known = new Map(
      ['/repository/run.sh', config].map((path) => [path, open(host).lint(path, host.read(path) ?? '')]),
    );
    const wanted = ({ rule }: Finding): boolean => rule === 'unknown-option';
    return autofix([{ path: config, text }], host, open, { suggested: true, known, wanted }).texts.get(
      config,
    );
  };
  expect(mended('')).toContain('total_train_epochs: 2');
  expect(mended("'~total_train_epoch' +total_train_epochs=3") ?? text).toContain('total_train_epoch: 2');
});

describe('a time limit', () => {
  const script = 'torchrun pretrain_gpt.py --num-layers 24 --hidden-size 64 --seq-length 8\n';
  const applied = (rounds: number): number => {
    let left = rounds;
    const file = { path: '/repository/run.sh', text: script };
    const host = memoryHost({ [file.path]: script });
    return autofix([file], host, (over) => testLinter(loadKnowledge(), over), {
      suggested: true,
      goesOn: () => left-- > 0,
    }).applied.length;
  };

  it('keeps the fixes applied by then', () => {
    expect(applied(0)).toBe(0);
    expect(applied(1)).toBeLessThan(applied(100));
  });
});

describe('a file with many launches', () => {
  const read: string[] = [];
  const launch = 'torchrun pretrain_gpt.py --num-layers 24\n';
  const [run] = testLinter(loadKnowledge(), memoryHost({})).lint('/repository/run.sh', launch).runs;
  const error = (rule: string, place: Finding['place'], fixes: readonly Fix[]): Finding => ({
    rule,
    severity: 'error',
    certainty: 'certain',
    phase: 'startup',
    message: rule,
    framework: undefined,
    place,
    related: [],
    settings: [],
    fixes,
    tags: [],
  });
  /**
   * Reads lines that are launches: `bad` is a fault, `all` a fault whose own fix removes it from every launch, `stuck` one that its fix does
   * not remove; `good twice`, which the fix of `bad` leaves behind, has two errors.
   */
  const linter: Linter = {
    ruleIds: () => ['bad', 'all', 'stuck'],
    lint: (path, text) => {
      read.push(text);
      const lines = [...text.matchAll(/^.*$/gm)].filter(([line]) => line !== '');
      const place = ({ index, 0: line }: RegExpExecArray) => ({
        path,
        span: { start: index, end: index + line.length },
      });
      const found = lines.flatMap((line): Finding[] => {
        if (line[0] === 'good twice') return ['first', 'second'].map((rule) => error(rule, place(line), []));
        const rule = ['bad', 'all', 'stuck'].find((word) => line[0].startsWith(word));
        if (rule === undefined || (rule === 'all' && text.startsWith('done'))) return [];
        const span =
          rule === 'all' ? { start: 0, end: 0 } : { start: line.index, end: line.index + rule.length };
        const newText = rule === 'all' ? 'done\n' : rule === 'bad' ? 'good' : 'stuck still';
        const edits = [{ path, span, newText }];
        return [error(rule, place(line), [{ title: rule, safety: 'safe', cost: undefined, edits }])];
      });
      const runs = run === undefined ? [] : lines.map((line) => ({ ...run, place: place(line) }));
      return { ...emptyReport(path, text), findings: found, runs };
    },
  };
  const fix = (text: string): { after: string | undefined; applied: number; reads: number } => {
    read.length = 0;
    const file = { path: '/repository/run.sh', text };
    const { texts, applied } = autofix([file], memoryHost({ [file.path]: text }), () => linter, {
      suggested: false,
    });
    return { after: texts.get(file.path), applied: applied.length, reads: read.length };
  };

  it('is read only a few times, however many there are', () => {
    const { after, applied, reads } = fix('bad x\n'.repeat(600));
    expect([after, applied]).toEqual(['good x\n'.repeat(600), 600]);
    expect(reads).toBeLessThan(5);
  });

  it('gets one edit if that fixes all launches', () => {
    expect(fix('all\n'.repeat(30))).toEqual({ after: `done\n${'all\n'.repeat(30)}`, applied: 1, reads: 2 });
  });

  it('leaves a launch alone if fixing it would cause more errors than it removes', () => {
    const { after } = fix(`${'bad x\n'.repeat(9)}bad twice\n`);
    expect(after).toBe(`${'good x\n'.repeat(9)}bad twice\n`);
  });

  it('keeps a fix that helps, even if it fails elsewhere', () => {
    const { after, reads } = fix(`${'bad x\n'.repeat(50)}${'stuck\n'.repeat(50)}`);
    expect(after).toBe(`${'good x\n'.repeat(50)}${'stuck\n'.repeat(50)}`);
    expect(reads).toBeLessThan(20);
  });
});

describe('a function that is called for each launch', () => {
  /** The script after the fixes, and how often it is read for them. */
  const mended = (text: string): { readonly after: string; readonly reads: number } => {
    let reads = 0;
    const file = { path: '/repository/run.sh', text };
    const counting = (host: Host): Linter => {
      const linter = testLinter(loadKnowledge(), host);
      return {
        ...linter,
        lint: (path, at) => {
          reads += 1;
          return linter.lint(path, at);
        },
      };
    };
    const rule = 'megatron-lm/layers-divide-stages';
    const { texts } = autofix([file], memoryHost({ [file.path]: text }), counting, {
      suggested: true,
      wanted: (finding) => finding.rule === rule,
    });
    return { after: texts.get(file.path) ?? text, reads };
  };
  const train = (count: string, stages: string): string => `train() {
  torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers ${count} --hidden-size 512 --num-attention-heads 8 \\
    --seq-length 4096 --max-position-embeddings 4096 --pipeline-model-parallel-size ${stages} \\
    --micro-batch-size 1 --global-batch-size 256 --train-iters 10 --eval-interval 1000 --lr 1e-4 --bf16
}
`;
  const layers = Array.from({ length: 40 }, (_, at) => 31 + 4 * at);
  const calls = (write: (layers: number) => string): string => layers.map(write).join('');

  it('is read only a few times, wherever its calls get their values from', () => {
    const byArgument = mended(train('"$1"', '"$2"') + calls((count) => `train ${count} 4\n`));
    expect(byArgument.after).toBe(train('"$1"', '"$2"') + calls((count) => `train ${count} 1\n`));
    expect(byArgument.reads).toBeLessThan(6);
    const byVariable = mended(train('$LAYERS', '$PP') + calls((count) => `LAYERS=${count}\nPP=4\ntrain\n`));
    expect(byVariable.after).toBe(
      train('$LAYERS', '$PP') + calls((count) => `LAYERS=${count}\nPP=1\ntrain\n`),
    );
    expect(byVariable.reads).toBeLessThan(6);
  });

  it('gets one edit if that fixes all calls', () => {
    const rest = calls((count) => `train ${count}\n`);
    const { after, reads } = mended(`${train('"$1"', '$PP')}PP=4\n${rest}`);
    expect(after).toBe(`${train('"$1"', '$PP')}PP=1\n${rest}`);
    expect(reads).toBe(2);
  });
});

it('the fix of a mode that contradicts a recipe takes the recipe of that mode, and never drops adapters by itself', () => {
  const fixedScript = (words: string): string | undefined => {
    const path = '/repository/run.sh';
    const text = `torchrun --nproc_per_node 8 scripts/training/run_recipe.py ${words} checkpoint.pretrained_checkpoint=/c\n`;
    const open = (over: Host): Linter => testLinter(loadKnowledge(), over);
    const wanted = ({ rule }: Finding): boolean => rule === 'megatron-bridge/mode-contradicts-the-recipe';
    return autofix([{ path, text }], memoryHost({ [path]: text }), open, {
      suggested: true,
      wanted,
    }).texts.get(path);
  };
  expect(fixedScript('--mode lora --recipe llama32_1b_finetune_config')).toContain(
    '--mode lora --recipe llama32_1b_peft_config',
  );
  expect(fixedScript('--recipe llama32_1b_sft_config --mode lora')).toContain(
    '--recipe llama32_1b_peft_config --mode lora',
  );
  expect(fixedScript('--recipe our_sft_config --mode lora')).toBe(undefined);
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  DocumentLink,
  DocumentSymbol,
  Hover,
  InlayHint,
  Location,
  SemanticTokens,
  SignatureHelp,
  TextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { legend } from '../../server/src/lsp/capabilities.ts';
import { type InProcess, inProcess, pushCapabilities } from './client.ts';
import {
  arealConfig,
  mainScript,
  marked,
  megatronScript,
  modelFile,
  positionOf,
  refused,
  refusedRule,
  textAt,
} from './texts.ts';

const folder = 'file:///work';
const uri = `${folder}/run.sh`;

let server: InProcess;
beforeEach(async () => {
  server = inProcess();
  await server.client.initialize([folder]);
});
afterEach(async () => {
  await server.client.connection.sendRequest('shutdown');
  server.client.connection.dispose();
});

async function hoverAt(text: string, part: string, at = uri): Promise<string> {
  const { client } = server;
  await client.open(at, text, at.endsWith('.sh') ? 'shellscript' : 'yaml');
  const found: Hover | null = await client.request('textDocument/hover', at, {
    position: positionOf(text, part),
  });
  const contents = found?.contents;
  return typeof contents === 'object' && 'value' in contents ? contents.value : '';
}

describe('hover', () => {
  test('a flag: type, what it does, default, value in force, where from, source at its commit', async () => {
    const text = await hoverAt(megatronScript(), '--tensor-model-parallel-size');
    expect(text).toMatch(/^\*\*\\-\\-tensor\\-model\\-parallel\\-size\*\* · int/);
    expect(text).toContain('Default: `1`');
    expect(text).toContain('In force: `2`');
    expect(text).toMatch(/From \[line 3\]\(file:\/\/\/work\/run\.sh#L3\) → \[line \d+\]/);
    expect(text).toMatch(/github\.com\/NVIDIA\/Megatron-LM\/blob\/[0-9a-f]{40}\/.+#L\d+/);
    expect(text).toContain('Splits');
  });

  test('a variable: its value and where it was assigned', async () => {
    const text = await hoverAt(megatronScript(), '$TP');
    expect(text).toMatch(/`2`/);
  });

  test('an array: the words that it comes to', async () => {
    const text = await hoverAt(megatronScript(), '${MODEL_ARGS[@]}');
    expect(text).toContain('10 words: `--num-layers 8 --hidden-size 512');
  });

  test('an environment variable, and the pieces of an allocator string', async () => {
    const script = megatronScript('', 'export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True,bogus:1\n');
    const text = await hoverAt(script, 'expandable_segments');
    expect(text).toContain('PYTORCH');
    expect(text).toContain('`expandable_segments:True` – True lets segments grow');
    expect(text).toContain('`bogus:1` – not known here');
  });

  test('the launch: what starts, on how many GPUs, in which layout, and why it was recognised', async () => {
    const text = await hoverAt(megatronScript(), 'torchrun');
    expect(text).toMatch(/Megatron-LM · 8 GPUs · TP 2.* DP 4/);
    expect(text).toContain('Recognised');
  });

  test('a key of YAML', async () => {
    const text = await hoverAt(arealConfig(), 'max_tokens_per_mb', `${folder}/config.yaml`);
    expect(text).toContain('In force: `10240`');
  });

  test('texts of the user never become markup', async () => {
    const text = await hoverAt(
      megatronScript(" --tensorboard-dir '</b><img src=x> [a](command:x) `` ` \u001b[31m'\n"),
      '--tensorboard-dir',
    );
    const value = text.split('In force: ')[1]?.split('\n')[0] ?? '';
    expect(value.startsWith('```')).toBe(true);
    expect(text).not.toContain('\u001b');
  });
});

async function completeAt(withMark: string, at = uri): Promise<{ items: CompletionItem[]; text: string }> {
  const { text, position } = marked(withMark);
  await server.client.open(at, text, at.endsWith('.sh') ? 'shellscript' : 'yaml');
  return { items: await server.client.request('textDocument/completion', at, { position }), text };
}
const labels = ({ items }: { items: CompletionItem[] }): string[] => items.map(({ label }) => label);

describe('completion', () => {
  test('flags without those given, the one being typed included, with documentation on demand', async () => {
    const found = await completeAt(megatronScript(' \\\n  --pipeline-m|'));
    expect(labels(found)).toContain('--pipeline-model-parallel-size');
    expect(labels(found)).not.toContain('--tensor-model-parallel-size');
    const item = found.items.find(({ label }) => label === '--pipeline-model-parallel-size');
    const edit = item?.textEdit;
    expect(edit !== undefined && 'range' in edit && textAt(found.text, edit.range)).toBe('--pipeline-m');
    const resolved: CompletionItem = await server.client.connection.sendRequest(
      'completionItem/resolve',
      item,
    );
    expect(resolved.documentation).toMatchObject({ value: expect.stringContaining('Default: `1`') });
  });

  test('values and choices', async () => {
    expect(labels(await completeAt(megatronScript(' --recompute-granularity |')))).toEqual(
      expect.arrayContaining(['full', 'selective']),
    );
  });

  test('keys of YAML by their place, without those that are there', async () => {
    const found = labels(await completeAt(arealConfig('t', 'mi|'), `${folder}/config.yaml`));
    expect(found).toEqual(expect.arrayContaining(['optimizer', 'gradient_checkpointing']));
    expect(found).not.toContain('path');
    expect(found).not.toContain('cluster');
  });

  test('pieces of an allocation string', async () => {
    const at = `${folder}/config.yaml`;
    const engines = labels(await completeAt(arealConfig().replace('"sglang:d4t1"', 's|'), at));
    expect(engines).toContain('sglang');
    const sizes = labels(
      await completeAt(arealConfig().replace('"sglang:d4t1"', 'sglang:d4|'), `${folder}/other.yaml`),
    );
    expect(sizes).toEqual(['t', 'p']);
  });

  test('an allocation string offers the engines of its role and the sizes of its engine', async () => {
    const complete = async (written: string, name: string, option = '"sglang:d4t1"'): Promise<string[]> =>
      labels(await completeAt(arealConfig().replace(option, written), `${folder}/${name}.yaml`));
    expect(await complete('|', 'a')).toEqual(['sglang', 'vllm']);
    expect(await complete('|', 'b', 'fsdp:d4')).toEqual(['fsdp', 'megatron', 'archon']);
    expect(await complete('fsdp:d2|', 'c', 'fsdp:d4')).toEqual(['t', 'p', 'c', 'e']);
    expect(await complete('megatron:(|', 'd', 'fsdp:d4')).toEqual(['attn', 'ffn']);
    expect(await complete('megatron:(attn:d2|', 'e', 'fsdp:d4')).toEqual(['t', 'p', 'c']);
    const inSecond = labels(
      await completeAt(
        '#!/bin/bash\npython3 examples/math/gsm8k_rl.py --config c.yaml allocation_mode=sglang:d4+fs|\n',
        `${folder}/areal.sh`,
      ),
    );
    expect(inSecond).toEqual(expect.arrayContaining(['sglang', 'fsdp']));
  });

  test('environment variables: names in front of a command, in JSON and in YAML, and values', async () => {
    const shell = async (line: string, name: string): Promise<string[]> =>
      labels(await completeAt(megatronScript('', `${line}\n`), `${folder}/${name}.sh`));
    expect(await shell('FOO=1 NVTE_|', 'a')).toContain('NVTE_FLASH_ATTN');
    expect(await shell('export CUDA_DEVICE_MAX_CONNECTIONS=|', 'b')).toEqual(['1']);
    expect(await shell('RUNTIME=\'{"env_vars": {"NCCL_|', 'c')).toContain('NCCL_NVLS_ENABLE');
    expect(await shell('RUNTIME="{ \\"NCCL_NVLS_ENABLE\\": \\"|', 'd')).toEqual(['0', '1']);
    expect(await shell('export NCCL_ALGO=Ring NCCL_|', 'e')).not.toContain('NCCL_ALGO');
    const config = arealConfig('t', 'env:\n    NCCL_|');
    const found = await completeAt(config, `${folder}/environment.yaml`);
    expect(labels(found)).toContain('NCCL_CUMEM_ENABLE');
    const values = await completeAt(arealConfig('t', 'env:\n    NCCL_CUMEM_ENABLE: |'), `${folder}/v.yaml`);
    expect(labels(values)).toEqual(['"0"', '"1"']);
  });

  test('dotted overrides of SkyRL', async () => {
    const script = `#!/bin/bash
uv run -m skyrl.train.entrypoints.main_base trainer.strategy=megatron \\
  trainer.policy.meg|
`;
    const found = labels(await completeAt(script));
    expect(found).toContain('trainer.policy.megatron_config.tensor_model_parallel_size');
    expect(found).not.toContain('trainer.strategy');
    const values = await completeAt(
      script.replace('trainer.policy.meg|', 'trainer.placement.colocate_all=|'),
      `${folder}/b.sh`,
    );
    expect(labels(values)).toEqual(['true', 'false']);
  });

  test('dotted overrides and flags of Megatron-Bridge', async () => {
    const script = (end: string): string =>
      `#!/bin/bash\ntorchrun --nproc_per_node=8 scripts/training/run_recipe.py --recipe llama3_8b_pretrain_config model.seq_length=8192 ${end}\n`;
    const found = labels(await completeAt(script('train.mi|')));
    expect(found).toContain('train.micro_batch_size');
    expect(labels(await completeAt(script('run_|'), `${folder}/b.sh`))).toEqual([]);
    const text = await hoverAt(script(''), 'model.seq_length', `${folder}/c.sh`);
    expect(text).toMatch(/seq\\_length\*\* · int/);
  });

  test('environment variables, allocator settings and their values', async () => {
    expect(labels(await completeAt(megatronScript('', 'export PYT|\n')))).toContain(
      'PYTORCH_CUDA_ALLOC_CONF',
    );
    const keys = labels(
      await completeAt(
        megatronScript('', 'export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True,|\n'),
        `${folder}/b.sh`,
      ),
    );
    expect(keys).toContain('max_split_size_mb');
    expect(keys).not.toContain('expandable_segments');
    const values = labels(
      await completeAt(
        megatronScript('', 'export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:|\n'),
        `${folder}/c.sh`,
      ),
    );
    expect(values).toEqual(['True', 'False']);
  });

  test('suppression comments with the ids of rules', async () => {
    expect(labels(await completeAt(megatronScript('', '# oomlint-disable-next-line |\n')))).toContain(
      refusedRule,
    );
    expect(labels(await completeAt(megatronScript('', '# oom|\n'), `${folder}/b.sh`))).toContain(
      'oomlint-disable-next-line',
    );
    const { items } = await completeAt(
      megatronScript(refused, '# oomlint-disable-file |\n'),
      `${folder}/c.sh`,
    );
    const [first] = items.toSorted((a, b) => ((a.sortText ?? a.label) < (b.sortText ?? b.label) ? -1 : 1));
    expect(first?.detail).toBe('found in this file');
  });
});

const everything = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };

describe('hints, lenses, tokens, symbols', () => {
  test('inlay hints: values behind variables in launch words', async () => {
    const text = megatronScript(' --tensorboard-dir "/logs/tp${TP}_x"', 'echo "$HOME and $TP"\n');
    await server.client.open(uri, text);
    const hints: InlayHint[] = await server.client.request('textDocument/inlayHint', uri, {
      range: everything,
    });
    const at = (label: RegExp): string[] =>
      hints
        .filter((hint) => typeof hint.label === 'string' && label.test(hint.label))
        .map(({ position }) => text.split('\n')[position.line]?.slice(0, position.character) ?? '');
    expect(at(/^= 2$/)).toEqual(['  --tensor-model-parallel-size $TP']);
    expect(at(/DP 4/)).toEqual([]);
  });

  test('inlay hints: the layout behind the command where no lens shows it', async () => {
    const other = inProcess();
    await other.client.initialize([folder], pushCapabilities, { codeLens: { enable: false } });
    await other.client.open(uri, megatronScript());
    const hints: InlayHint[] = await other.client.request('textDocument/inlayHint', uri, {
      range: everything,
    });
    expect(hints.filter(({ label }) => typeof label === 'string' && /DP 4/.test(label))).toHaveLength(1);
    other.client.connection.dispose();
  });

  test('inlay hints: tokens of a sequence behind a budget', async () => {
    const script = `python3 train.py --rollout-max-response-len 8192 \\
  --max-tokens-per-gpu 4096 --hf-checkpoint /m --context-parallel-size 2 --actor-num-nodes 1 --actor-num-gpus-per-node 8 --num-layers 2
`;
    await server.client.open(uri, `#!/bin/bash\n# slime\n${script}`);
    const hints: InlayHint[] = await server.client.request('textDocument/inlayHint', uri, {
      range: everything,
    });
    expect(hints.map(({ label }) => label)).toContain('= 1 × 8192 tokens');
  });

  test('hints and lenses can be switched off', async () => {
    const other = inProcess();
    await other.client.initialize([folder], pushCapabilities, {
      inlayHints: { enable: false },
      codeLens: { enable: false },
    });
    await other.client.open(uri, megatronScript());
    expect(await other.client.request('textDocument/inlayHint', uri, { range: everything })).toEqual([]);
    expect(await other.client.request('textDocument/codeLens', uri)).toEqual([]);
    other.client.connection.dispose();
  });

  test('a lens over the launch: what it is, how large, how many findings', async () => {
    await server.client.open(uri, megatronScript(refused));
    const plain: CodeLens[] = await server.client.request('textDocument/codeLens', uri);
    expect(plain).toHaveLength(1);
    expect(plain[0]?.command?.title).toMatch(/Megatron-LM · 8 GPUs · TP 2 PP 2 DP 2.*error/);
    expect(plain[0]?.command?.command).toBe('');
    const other = inProcess();
    await other.client.initialize([folder], pushCapabilities, { commands: true });
    await other.client.open(uri, megatronScript(refused));
    const lenses: CodeLens[] = await other.client.request('textDocument/codeLens', uri);
    expect(lenses[0]?.command?.command).toBe('oomlint.showResolved');
    other.client.connection.dispose();
  });

  test('a lens over a configuration of AReaL names the engines of each role', async () => {
    const config = `${folder}/config.yaml`;
    await server.client.open(config, arealConfig(), 'yaml');
    const lenses: CodeLens[] = await server.client.request('textDocument/codeLens', config);
    expect(lenses[0]?.command?.title).toMatch(/^AReaL · 8 GPUs · rollout sglang:d4t1 · actor fsdp:d4/);
  });

  test('the resolved command as a text', async () => {
    await server.client.open(uri, megatronScript());
    const text: string = await server.client.connection.sendRequest('oomlint/resolve', { uri });
    expect(text).toContain('--tensor-model-parallel-size');
    expect(text).toMatch(/--tensor-model-parallel-size {2}13:3\n\s+2 {2}3:4 → 13:32/);
  });

  test('semantic tokens: recognised flags and variables, deprecated and unknown ones marked', async () => {
    const text = megatronScript(' \\\n  --use-rotary-position-embeddings --seed $SEED --no-such-flag');
    await server.client.open(uri, text);
    const { data }: SemanticTokens = await server.client.request('textDocument/semanticTokens/full', uri);
    const lines = text.split('\n');
    const tokens = new Map<string, string>();
    let line = 0;
    let character = 0;
    for (let at = 0; at < data.length; at += 5) {
      const [down = 0, right = 0, length = 0, type = 0, bits = 0] = data.slice(at, at + 5);
      line += down;
      character = down === 0 ? character + right : right;
      const names = legend.tokenModifiers.filter((_, bit) => (bits & (1 << bit)) !== 0);
      tokens.set(
        lines[line]?.slice(character, character + length) ?? '',
        [legend.tokenTypes[type], ...names].join(' '),
      );
    }
    expect(tokens.get('--num-layers')).toBe('property');
    expect(tokens.get('--use-rotary-position-embeddings')).toBe('property deprecated');
    expect(tokens.get('--seed')).toBe('property unknown');
    expect(tokens.get('$TP')).toBe('variable');
    expect(tokens.get('$SEED')).toBe('variable unknown');
    expect(tokens.has('--no-such-flag')).toBe(false);
  });

  test('symbols: launches, and roles within', async () => {
    const script = `#!/bin/bash
uv run -m skyrl.train.entrypoints.main_base trainer.strategy=megatron \\
  trainer.policy.megatron_config.tensor_model_parallel_size=2
`;
    await server.client.open(uri, script);
    const [symbol]: DocumentSymbol[] = await server.client.request('textDocument/documentSymbol', uri);
    expect(symbol?.name).toContain('SkyRL');
    expect(symbol?.children?.map(({ name }) => name)).toContain('policy');
  });

  test('signature help for a flag with several values', async () => {
    const { text, position } = marked(megatronScript(' \\\n  --data-path 0.5 |'));
    await server.client.open(uri, text);
    const help: SignatureHelp | null = await server.client.request('textDocument/signatureHelp', uri, {
      position,
    });
    expect(help?.signatures[0]?.label).toMatch(/^--data-path </);
    expect(help?.activeParameter).toBe(1);
  });
});

describe('between files', () => {
  const model = `${folder}/models/model.sh`;
  beforeEach(() => {
    server.files['/work/models/model.sh'] = modelFile('8');
  });

  test('definition and references of a variable and of a setting', async () => {
    const { client } = server;
    await client.open(uri, mainScript);
    const array: Location[] = await client.request('textDocument/definition', uri, {
      position: positionOf(mainScript, '${MODEL_ARGS[@]}'),
    });
    expect(array.map((one) => one.uri)).toEqual([model]);
    const text = megatronScript();
    const other = `${folder}/other.sh`;
    await client.open(other, text);
    const value: Location[] = await client.request('textDocument/definition', other, {
      position: positionOf(text, '$TP'),
    });
    expect(value.map(({ range }) => textAt(text, range))).toEqual([expect.stringMatching(/^(TP=)?2$/)]);
    const all: Location[] = await client.request('textDocument/references', other, {
      position: positionOf(text, '$TP'),
      context: { includeDeclaration: true },
    });
    expect(all.length).toBeGreaterThanOrEqual(2);
  });

  test('links to sourced files and to files that settings name', async () => {
    const { client } = server;
    server.files['/work/data/eval.yaml'] = 'eval: {}\n';
    const text = mainScript.replace('--mock-data', '--load data/eval.yaml --save data/none --mock-data');
    await client.open(uri, text);
    const links: DocumentLink[] = await client.request('textDocument/documentLink', uri);
    expect(links.map(({ target }) => target)).toEqual(
      expect.arrayContaining([model, `${folder}/data/eval.yaml`]),
    );
    expect(links.map(({ target }) => target).join(' ')).not.toContain('none');
  });

  test('a sourced file: flags have the values of the script that uses it, and go there', async () => {
    const { client } = server;
    await client.open(model, modelFile('8'));
    const position = positionOf(modelFile('8'), 'hidden-size');
    const alone: Hover | null = await client.request('textDocument/hover', model, { position });
    expect(JSON.stringify(alone?.contents)).toContain('Default: ');
    expect(JSON.stringify(alone?.contents)).not.toContain('In force');
    await client.open(uri, mainScript);
    await client.diagnostics(uri, 1);
    const used: Hover | null = await client.request('textDocument/hover', model, { position });
    expect(JSON.stringify(used?.contents)).toContain('In force: `512`');
    const [value]: Location[] = await client.request('textDocument/definition', model, { position });
    expect(value === undefined ? '' : textAt(modelFile('8'), value.range)).toBe('512');
    const uses: Location[] = await client.request('textDocument/references', model, {
      position: positionOf(modelFile('8'), 'ODEL_ARGS'),
      context: { includeDeclaration: true },
    });
    expect(uses.map((one) => one.uri)).toEqual(expect.arrayContaining([model, uri]));
  });

  test('links to programs and configurations that the command names', async () => {
    const { client } = server;
    server.files['/work/train/gsm8k.py'] = '';
    server.files['/work/configs/gsm8k.yaml'] = arealConfig();
    await client.open(
      uri,
      '#!/bin/bash\npython3 train/gsm8k.py --config configs/gsm8k.yaml scheduler.type=local\n',
    );
    const links: DocumentLink[] = await client.request('textDocument/documentLink', uri);
    expect(links.map(({ target }) => target).sort()).toEqual([
      `${folder}/configs/gsm8k.yaml`,
      `${folder}/train/gsm8k.py`,
    ]);
  });
});

function applied(text: string, edits: readonly TextEdit[]): string {
  return TextDocument.applyEdits(TextDocument.create(uri, 'shellscript', 1, text), [...edits]);
}

describe('code actions', () => {
  const at = (text: string, part: string): object => {
    const position = positionOf(text, part);
    return { range: { start: position, end: position }, context: { diagnostics: [] } };
  };
  const editsOf = (action: CodeAction | undefined): TextEdit[] =>
    (action?.edit?.documentChanges ?? []).flatMap((change) =>
      'edits' in change
        ? change.edits.flatMap((edit) => ('newText' in edit && 'range' in edit ? [edit] : []))
        : [],
    );

  test('come without edits, which are worked out for the chosen one and tied to its version', async () => {
    const { client } = server;
    const text = megatronScript(refused);
    await client.open(uri, text);
    const actions: CodeAction[] = await client.request('textDocument/codeAction', uri, at(text, ' 4\n'));
    const fix = actions.find(({ title }) => title.includes('one pipeline stage') || /offload/i.test(title));
    expect(fix?.edit).toBeUndefined();
    const resolved: CodeAction = await client.connection.sendRequest('codeAction/resolve', fix);
    const after = applied(text, editsOf(resolved));
    expect(after).not.toBe(text);
    const [change] = resolved.edit?.documentChanges ?? [];
    expect(change !== undefined && 'textDocument' in change && change.textDocument.version).toBe(1);
    const version = client.change(uri, after);
    expect((await client.diagnostics(uri, version)).map(({ code }) => code)).not.toContain(refusedRule);
    const stale: CodeAction = await client.connection.sendRequest('codeAction/resolve', fix);
    expect(stale.edit).toBeUndefined();
  });

  test('suppress for the line and for the file, and the finding goes', async () => {
    const { client } = server;
    const text = megatronScript(refused);
    await client.open(uri, text);
    const actions: CodeAction[] = await client.request('textDocument/codeAction', uri, at(text, ' 4\n'));
    for (const where of ['here', 'in this file']) {
      const action = actions.find(({ title }) => title === `Suppress ${refusedRule} ${where}`);
      const resolved: CodeAction =
        action?.edit === undefined
          ? await client.connection.sendRequest('codeAction/resolve', action)
          : action;
      const version = client.change(uri, applied(text, editsOf(resolved)));
      expect((await client.diagnostics(uri, version)).map(({ code }) => code)).not.toContain(refusedRule);
    }
  });

  test('a range with several findings of a rule offers what is about the rule once', async () => {
    const { client } = server;
    const text = megatronScript(' --no-such-flag-x --no-such-flag-y');
    await client.open(uri, text);
    const actions: CodeAction[] = await client.request('textDocument/codeAction', uri, {
      range: everything,
      context: { diagnostics: [], only: [''] },
    });
    const about = actions.filter(({ title }) => title.includes('unknown-option'));
    expect(about.map(({ title }) => title)).toEqual([
      'Suppress unknown-option here',
      'Suppress unknown-option in this file',
    ]);
    expect(about[0]?.diagnostics).toHaveLength(2);
    const none: CodeAction[] = await client.request('textDocument/codeAction', uri, {
      range: everything,
      context: { diagnostics: [], only: ['refactor', 'source.organizeImports'] },
    });
    expect(none).toEqual([]);
  });

  test('a sourced file offers the fixes of what the script that uses it found there', async () => {
    const { client } = server;
    const model = `${folder}/models/model.sh`;
    server.files['/work/models/model.sh'] = modelFile('7');
    await client.open(uri, mainScript);
    await client.diagnostics(uri, 1);
    await client.open(model, modelFile('7'));
    await client.until(() => client.shown(model).length > 0, 'the fault in the model file');
    const [fault] = client.shown(model);
    const actions: CodeAction[] = await client.request('textDocument/codeAction', model, {
      range: fault?.range,
      context: { diagnostics: [] },
    });
    const fix = actions.find(({ title }) => title.startsWith('Round the hidden size up'));
    const resolved: CodeAction = await client.connection.sendRequest('codeAction/resolve', fix);
    expect(applied(modelFile('7'), editsOf(resolved))).toContain('--hidden-size 518');
    expect(actions.filter(({ title }) => title.startsWith('Suppress'))).toEqual([]);
    client.change(model, applied(modelFile('7'), editsOf(resolved)));
    await client.until(() => client.shown(model).length === 0, 'the mended fault to go');
  });

  test('a client without lazy actions or versions gets plain edits at once', async () => {
    const other = inProcess();
    await other.client.initialize([folder], {});
    const text = megatronScript(refused);
    await other.client.open(uri, text);
    const actions: CodeAction[] = await other.client.request(
      'textDocument/codeAction',
      uri,
      at(text, ' 4\n'),
    );
    expect(actions[0]?.edit?.changes?.[uri]?.length).toBeGreaterThan(0);
    other.client.connection.dispose();
  });

  test('the rule’s page is opened by the client’s own command, or by asking the client to show it', async () => {
    const text = megatronScript(refused);
    const pageOf = async (options: object, capabilities: object): Promise<[unknown, InProcess]> => {
      const other = inProcess();
      const { capabilities: offered } = await other.client.initialize([folder], capabilities, options);
      await other.client.open(uri, text);
      const actions: CodeAction[] = await other.client.request(
        'textDocument/codeAction',
        uri,
        at(text, ' 4\n'),
      );
      const command = actions.find(({ command: one }) => one !== undefined)?.command?.command;
      expect(offered.executeCommandProvider?.commands).toEqual(
        command === 'oomlint.server.openPage' ? [command] : undefined,
      );
      return [command, other];
    };
    const shows = { ...pushCapabilities, window: { showDocument: { support: true } } };
    const [own, first] = await pageOf({ commands: true }, shows);
    expect(own).toBe('oomlint.openRule');
    const [none, second] = await pageOf({}, pushCapabilities);
    expect(none).toBeUndefined();
    const [asked, third] = await pageOf({}, shows);
    expect(asked).toBe('oomlint.server.openPage');
    const shown: unknown[] = [];
    third.client.connection.onRequest('window/showDocument', ({ uri: page }: { uri: string }) => {
      shown.push(page);
      return { success: true };
    });
    await third.client.connection.sendRequest('workspace/executeCommand', {
      command: asked,
      arguments: ['https://example.org/rule.md'],
    });
    expect(shown).toEqual(['https://example.org/rule.md']);
    for (const one of [first, second, third]) one.client.connection.dispose();
  });

  test('source.fixAll applies all safe fixes and nothing else', async () => {
    const { client } = server;
    const text = megatronScript(' \\\n  --optimizer-cpu-offload');
    await client.open(uri, text);
    const actions: CodeAction[] = await client.request('textDocument/codeAction', uri, {
      range: everything,
      context: { diagnostics: [], only: ['source.fixAll.oomlint'] },
    });
    expect(actions.every(({ kind }) => kind === 'source.fixAll.oomlint')).toBe(true);
    expect(actions).toHaveLength(1);
    const before = await client.diagnostics(uri, 1);
    const resolved: CodeAction = await client.connection.sendRequest('codeAction/resolve', actions[0]);
    const after = applied(text, editsOf(resolved));
    expect(after).not.toBe(text);
    const version = client.change(uri, after);
    const left = await client.diagnostics(uri, version);
    expect(left.length).toBeLessThan(before.length);
    expect(left.filter((one) => !before.some(({ code }) => code === one.code))).toEqual([]);
    // Nothing is left that it could mend.
    const again: CodeAction[] = await client.request('textDocument/codeAction', uri, {
      range: everything,
      context: { diagnostics: [], only: ['source.fixAll'] },
    });
    expect(again).toEqual([]);
  });
});

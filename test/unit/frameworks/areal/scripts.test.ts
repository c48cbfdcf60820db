import { describe, expect, it } from 'vitest';
import { base, findings, launched, script } from './arealRun.ts';

/** Errors and warnings of a launch, as `severity rule message`. */
function reported(list: ReturnType<typeof launched>): string[] {
  return list
    .filter(({ severity }) => severity !== 'info')
    .map(({ severity, rule, message }) => `${severity} ${rule} ${message}`);
}

const withScript = (source: string, words = ''): string[] =>
  reported(launched(words, { '/repository/train.py': source }));

describe('the config class that a script loads', () => {
  it('is not read from comments and docstrings', () => {
    expect(withScript(`# load_expr_config(args, SFTConfig)\n${script}`)).toEqual(withScript(script));
    expect(withScript(`"""load_expr_config(args, SFTConfig)"""\n${script}`)).toEqual(withScript(script));
  });

  it('is uncertain if it loads several', () => {
    const either = `if x:\n    c, _ = load_expr_config(args, SFTConfig)\nelse:\n    ${script.replaceAll('\n', '\n    ')}`;
    expect(withScript(either).filter((each) => each.startsWith('error'))).toEqual([]);
  });

  const own = (header: string, body: string, before = ''): string =>
    `${before}@dataclass\nclass ${header}:\n${body}\nconfig, _ = load_expr_config(args, MyConfig)\nwith PPOTrainer(config) as trainer:\n    trainer.train()\n`;

  it.each([
    ['a mixin', own('MyConfig(GRPOConfig, Mixin)', '    two: int = 2', 'class Mixin:\n    extra: int = 1\n')],
    ['documentation at the margin', own('MyConfig(GRPOConfig)', '    """Says\nmore."""\n    extra: int = 1')],
    [
      'documentation that is indented less',
      own('MyConfig(GRPOConfig)', '    """Says\n  more."""\n    extra: int = 1'),
    ],
    [
      'the name of its base',
      own('GRPOConfig(cli_args.GRPOConfig)', '    extra: int = 1').replace('MyConfig', 'GRPOConfig'),
    ],
    ['a base from elsewhere', own('MyConfig(GRPOConfig, Elsewhere)', '    two: int = 2')],
  ])('has fields of its own with %s', (_, source) => {
    const errors = withScript(source, '+extra=4').filter((each) => each.startsWith('error'));
    expect(errors).toEqual([]);
  });

  it('has no other fields', () => {
    const source = own('MyConfig(GRPOConfig)', '    extra: int = 1');
    expect(withScript(source, '+other=4').join()).toContain('other is not an option here');
  });
});

describe('the configuration that a launch names', () => {
  it('is refused if Hydra reads another file for its name', () => {
    const files = {
      '/repository/train.py': script,
      '/repository/g.yml': base,
      '/repository/run.sh': 'python3 train.py --config g.yml scheduler.type=local\n',
    };
    expect(reported(findings('/repository/run.sh', files)).join()).toContain(
      'error missing-config g.yml.yaml, which Hydra reads for g.yml, does not exist in the workspace.',
    );
  });

  it('may be passed to a module started with -m', () => {
    const files = {
      '/repository/examples/math/run.py': script,
      '/repository/run.sh':
        'python3 -m examples.math.run --config config.yaml scheduler.type=local actor.nope=2\n',
    };
    expect(reported(findings('/repository/run.sh', files)).join()).toContain('actor.nope');
  });
});

describe('a configuration file', () => {
  const errors = (text: string): string[] =>
    reported(launched('', { '/repository/config.yaml': text })).filter((each) => each.startsWith('error'));

  it('is refused with a second document', () => {
    expect(errors(`${base}\n---\n`).join()).toContain('a second document begins here');
    expect(errors(`---\n${base}`)).toEqual(errors(base));
    expect(errors(`${base}\n...\n# the end\n`)).toEqual(errors(base));
    expect(errors(`${base}\n...\nseed: 2\n`).join()).toContain('the document ends here');
  });

  it('is refused as a list, and lacks everything when empty', () => {
    expect(errors('- a\n').join()).toContain('a configuration takes keys, not a list');
    expect(errors('# nothing yet\n').join()).toContain('actor.backend is required and missing');
  });

  it('may have references as elements of lists of maps', () => {
    const text = base.replace(
      'scheduling_spec: ${actor.scheduling_spec}',
      'scheduling_spec: ["${actor.scheduling_spec.0}"]',
    );
    expect(text).not.toBe(base);
    expect(errors(text)).toEqual([]);
  });
});

describe('a data set that the script loads', () => {
  const loading = (body: string): { readonly [path: string]: string } => ({
    '/repository/train.py': `from areal import PPOTrainer
from areal.dataset import get_custom_dataset


def main(args):
    config, _ = load_expr_config(args, GRPOConfig)
${body}
    with PPOTrainer(config) as trainer:
        trainer.train()
`,
  });
  const load = `    valid_dataset = get_custom_dataset(
        split="test",
        dataset_config=config.valid_dataset,
        tokenizer=tokenizer,
    )`;
  const rules = (body: string, words = ''): string[] =>
    launched(words, loading(body)).map(({ rule, severity }) => `${severity} ${rule}`);
  const missing = 'warning dataset-not-given';

  it('must be in the configuration', () => {
    expect(base).not.toContain('valid_dataset');
    expect(rules(load)).toEqual([missing]);
    expect(rules(load, '++valid_dataset=null')).toEqual([missing]);
    expect(rules(load, "'++valid_dataset={path:d,type:rl,batch_size:8}'")).toEqual([]);
    expect(rules(load, '"$@"')).toEqual([]);
  });

  it('need not be if the script checks for it first or loads another one', () => {
    expect(rules(`    if config.valid_dataset is not None:\n${load.replace(/^/gm, '    ')}`)).toEqual([]);
    expect(rules(`    if args:\n${load.replace(/^/gm, '    ')}`)).toEqual([]);
    expect(rules(`    config.valid_dataset = config.train_dataset\n${load}`)).toEqual([]);
    expect(rules(`    if not config.valid_dataset:\n        return\n${load}`)).toEqual([]);
    expect(rules(load.replace('valid_dataset,', 'train_dataset,'))).toEqual([]);
    expect(rules(load.replace('split="test"', 'path="d"'))).toEqual([]);
    expect(rules(`${load} if args else None`)).toEqual([]);
    expect(rules(`    # ${load.trim()}`.replace(/\n/g, '\n    #'))).toEqual([]);
  });
});

describe('a value that no release accepts', () => {
  it('does not suggest a newer release', () => {
    const words = "'+actor.scheduling_spec.0.ray_placement_strategy={}' actor.nope=1";
    const list = reported(launched(words));
    expect(list.join('\n')).toContain('error unknown-option actor.nope');
  });
});

describe('words on the command line', () => {
  it('may set Hydra’s own options', () => {
    expect(reported(launched('hydra.run.dir=/x'))).toEqual(reported(launched('')));
  });

  it('report only the worst problem at one place', () => {
    const list = reported(
      launched("'+stats_logger.swanlab.config=${stats_logger.wandb.config}' +stats_logger.wandb.config=5"),
    );
    expect(list.join('\n')).toMatch(/error invalid-value stats_logger\.\w+\.config takes a map/);
    expect(list.join('\n')).not.toContain('warning invalid-value stats_logger');
  });
});

describe('a flag of the script itself', () => {
  const refused = (source: string, words: string): string[] =>
    withScript(source, words).filter((each) => each.includes('invalid-override'));

  it('is no override if the script removes it from the words it passes on', () => {
    expect(refused(script, '--loader hf')).toHaveLength(2);
    const quoting = `if '--loader' in sys.argv: take()\n${script}`;
    expect(refused(quoting, '--loader hf --loader=hf seed=2')).toEqual([]);
    expect(refused(quoting, '--loader hf --loade hf')).toHaveLength(2);
    expect(refused(quoting, '--loader hf seed=2 hf')).toHaveLength(1);
  });

  it('may be anything if the script passes on words of its own', () => {
    const handing = script.replace(/load_expr_config\([^,]+,/, 'load_expr_config(rest,');
    expect(handing).not.toBe(script);
    expect(refused(handing, '--loader hf')).toEqual([]);
  });
});

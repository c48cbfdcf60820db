import { describe, expect, it } from 'vitest';
import { base, findings, script } from './arealRun.ts';

describe('an AReaL launch', () => {
  it('reports a missing configuration', () => {
    const found = findings('/repository/run.sh', {
      '/repository/train.py': script,
      '/repository/run.sh': 'cd /repository\npython3 train.py --config other.yaml\n',
    });
    expect(found.map(({ rule }) => rule)).toEqual(['missing-config']);
  });

  it('shows paths relative to the workspace root', () => {
    const [found] = findings('/repository/run.sh', {
      '/repository/train.py': script,
      '/repository/run.sh': 'cd /repository\npython3 train.py --config $PWD/conf/other.yaml\n',
    });
    expect(found?.message).toBe('conf/other.yaml does not exist in the workspace.');
  });

  it('takes a path below $PWD as relative to a folder above the script', () => {
    const found = findings('/repository/train/examples/run.sh', {
      '/repository/train/examples/train.py': script,
      '/repository/train/examples/config.yaml': base,
      '/repository/train/examples/run.sh':
        'top=${1:-$PWD}\npython3 -m areal.infra.launcher.local $top/examples/train.py --config $top/examples/config.yaml\n',
    });
    expect(found.filter(({ rule }) => rule === 'missing-config')).toEqual([]);
  });

  describe('without --config', () => {
    const argumentsScript =
      'from areal.api.cli_args import load_expr_config\nconfig, _ = load_expr_config(sys.argv[1:], GRPOConfig)\n';
    const reported = (command: string, source = argumentsScript): readonly string[] =>
      findings('/repository/run.sh', {
        '/repository/train.py': source,
        '/repository/config.yaml': base,
        '/repository/run.sh': `cd /repository\n${command}\n`,
      }).flatMap(({ rule, severity, place, message }) =>
        severity === 'error' && place.path === '/repository/run.sh' ? [`${rule} ${message}`] : [],
      );
    const missing = ['required-option --config is required and missing.'];

    it('reports the missing flag, and nothing that is only read after it', () => {
      expect(reported('python3 train.py')).toEqual(missing);
      expect(reported('python3 train.py config.yaml scheduler.type=local')).toEqual(missing);
      expect(reported('python3 -m areal.infra.launcher.local train.py config.yaml')).toEqual(missing);
    });

    it('reports a misspelt flag or one without a value', () => {
      const misspelt = (flag: string): string[] => [
        `unknown-option ${flag} is not an option here. Did you mean --config?`,
      ];
      expect(reported('python3 train.py --confg config.yaml')).toEqual(misspelt('--confg'));
      expect(reported('python3 train.py -c config.yaml')).toEqual(misspelt('-c'));
      expect(reported('python3 train.py --config')).toEqual(['missing-value --config needs a value.']);
      expect(reported('python3 train.py --config ""')).toEqual([
        'missing-value --config needs a value: an empty text names no file.',
      ]);
    });

    it('accepts the same flag prefixes as argparse', () => {
      expect(reported('python3 train.py --conf config.yaml scheduler.type=local')).toEqual([]);
      expect(reported('python3 train.py --c=config.yaml scheduler.type=local')).toEqual([]);
    });

    it('does not treat a call for help as a launch', () => {
      expect(reported('python3 train.py --help')).toEqual([]);
      expect(reported('python3 train.py --config config.yaml no.such=1 -h')).toEqual([]);
      expect(reported('python3 train.py --config config.yaml no.such=1')).not.toEqual([]);
    });

    it('reports nothing if words are unknown or the script names a configuration itself', () => {
      expect(reported('python3 train.py "$@"')).toEqual([]);
      expect(reported('python3 train.py $1')).toEqual([]);
      expect(
        reported('python3 train.py', 'config, _ = load_expr_config(["--config", "a.yaml"], X)\n'),
      ).toEqual([]);
      expect(reported('python3 train.py', `import argparse\n${argumentsScript}`)).toEqual([]);
    });

    it('offers to insert the flag before the file, and to correct its spelling', () => {
      const fixed = (command: string): readonly (string | undefined)[] =>
        findings('/repository/run.sh', {
          '/repository/train.py': argumentsScript,
          '/repository/config.yaml': base,
          '/repository/run.sh': `cd /repository\n${command}\n`,
        }).flatMap(({ fixes }) => fixes.flatMap(({ edits }) => edits.map(({ newText }) => newText)));
      expect(fixed('python3 train.py config.yaml')).toEqual(['--config config.yaml']);
      expect(fixed('python3 train.py --confg config.yaml')).toEqual(['--config']);
    });
  });
});

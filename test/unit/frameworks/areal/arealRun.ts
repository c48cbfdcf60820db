import type { Finding } from '../../../../server/src/rules/finding.ts';
import { loadKnowledge, testLinter } from '../../../support/knowledge.ts';
import { memoryHost } from '../../../support/memoryHost.ts';

export const knowledge = loadKnowledge();
export const base = knowledge.frameworks.get('areal')?.base.yaml ?? '';
export const script =
  'config, _ = load_expr_config(args, GRPOConfig)\nwith PPOTrainer(config) as trainer:\n    trainer.train()\n';

interface Files {
  readonly [path: string]: string;
}

/** The findings in a file of a repository that also holds the base configuration. */
export function findings(path: string, files: Files): readonly Finding[] {
  const all = { '/repository/config.yaml': base, ...files };
  const text: { readonly [path: string]: string } = all;
  return testLinter(knowledge, memoryHost(all)).lint(path, text[path] ?? '').findings;
}

/** The findings if the base configuration is launched with more words. */
export function launched(words: string, files: Files = {}): readonly Finding[] {
  return findings('/repository/run.sh', {
    '/repository/train.py': script,
    ...files,
    '/repository/run.sh': `python3 train.py --config config.yaml scheduler.type=local ${words}\n`,
  });
}

/** The findings in a configuration on its own. */
export function alone(text: string, files: Files = {}): readonly Finding[] {
  return findings('/repository/config.yaml', { ...files, '/repository/config.yaml': text });
}

/** The severity, rule and text of each finding, without advice. */
export function pointed(list: readonly Finding[], files: Files): string[] {
  return list
    .filter(({ severity }) => severity !== 'info')
    .map(({ rule, severity, place }) => {
      const text = files[place.path] ?? '';
      return `${severity} ${rule} ${text.slice(place.span.start, place.span.end)}`;
    });
}

import { resolve } from 'node:path';
import { createProjectLinter } from '../config/project.ts';
import { diskCommonRules, diskKnowledge } from '../disk/knowledge.ts';
import { exitCodes } from './check.ts';
import { hostOf, shortPath } from './inputs.ts';
import { type Output, paletteOf } from './output.ts';

/** Prints the settings in force for a file, and the file that each part came from. */
export function showConfig(
  options: {
    readonly file: string;
    readonly cwd: string;
    readonly knowledge: string;
    readonly format: 'text' | 'json';
  },
  output: Output,
): number {
  const path = resolve(options.cwd, options.file);
  const linter = createProjectLinter({
    host: hostOf([], options.cwd),
    knowledgeOf: diskKnowledge(options.knowledge),
    commonRules: diskCommonRules(options.knowledge),
  });
  const settings = linter.settingsOf(path);
  const config = linter.configOf(path);
  const shown = {
    file: shortPath(options.cwd, path),
    config: config === undefined ? null : shortPath(options.cwd, config),
    settings: {
      machine: settings.machine,
      rules: Object.fromEntries(settings.rules),
      extra_options: settings.extraOptions,
      framework: settings.framework ?? null,
      constraints: [...settings.constraints].flatMap(([framework, own]) =>
        own.map(({ id }) => `${framework}/${id}`),
      ),
      unsuppressible: settings.unsuppressible,
      fail_on: settings.failOn ?? 'error',
      min_certainty: settings.minCertainty,
      excluded: settings.excluded,
    },
    from: settings.sources.map(({ key, path: at }) => ({ key, file: shortPath(options.cwd, at) })),
  };
  if (options.format === 'json') {
    output.out(`${JSON.stringify({ version: 1, ...shown }, null, 2)}\n`);
    return exitCodes.clean;
  }
  const palette = paletteOf(output);
  output.out(
    `${palette.bold(shown.file)}: ${shown.config === null ? 'no configuration file' : `settings of ${shown.config}`}\n`,
  );
  for (const [key, value] of Object.entries(shown.settings)) {
    const from = [
      ...new Set(
        shown.from
          .filter((source) => source.key === key || (key === 'machine' && source.key === 'variables'))
          .map(({ file }) => file),
      ),
    ];
    output.out(
      `  ${key}: ${JSON.stringify(value)}${from.length > 0 ? palette.dim(`  (${from.join(', ')})`) : ''}\n`,
    );
  }
  return exitCodes.clean;
}

/** Options of other linters (ESLint, Ruff, ShellCheck, Biome), with the equivalent here. */
const foreignOptions: ReadonlyMap<string, string> = new Map([
  ['-q', '--min-severity error'],
  ['--quiet', '--min-severity error'],
  ['--severity', '--min-severity'],
  ['-S', '--min-severity'],
  ['--select', '--only'],
  ['--rule', '--only'],
  ['--include', '--only'],
  ['--ignore', '--skip'],
  ['--exclude', '--skip'],
  ['--disable', '--skip'],
  ['-e', '--skip'],
  ['-f', '--format'],
  ['--output-format', '--format'],
  ['--reporter', '--format'],
  ['-o', '--output'],
  ['--output-file', '--output'],
  ['--exit-zero', '--fail-on never'],
  ['--error-on-warnings', '--fail-on warning'],
  ['--unsafe-fixes', '--fix-suggested'],
  ['--write', '--fix'],
  ['--fix-dry-run', '--diff'],
  ['--changed', '--since'],
  ['--stdin', '-'],
  ['--isolated', '--no-config'],
  ['--show-files', '--list-files'],
]);

/** Options of other linters that `check` does not need. */
const needless: ReadonlyMap<string, string> = new Map(
  ['-c', '--config'].map((option) => [option, 'the nearest .oomlint.yaml above a file holds for it']),
);

/** The equivalent in `check` of an unknown option that other linters have. @param error what Commander says */
export function foreignOptionHint(error: string): string | undefined {
  const option = /unknown option '([^'=]*)/.exec(error)?.[1];
  if (option === undefined) return undefined;
  const own = foreignOptions.get(option);
  return own === undefined ? needless.get(option) : `here it is ${own}`;
}

import { lintFile } from '../../support/lintFile.ts';

const script = '/repository/run.sh';

/** Errors and warnings of a one-command script next to the given files, as `rule: message`. */
export function reported(command: string, files: { readonly [path: string]: string } = {}): string[] {
  const text = `${command}\n`;
  return lintFile(script, text, files)
    .findings.filter(({ severity }) => severity !== 'info')
    .map(({ rule, message }) => `${rule}: ${message}`);
}

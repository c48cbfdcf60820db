import type { Finding } from '../../rules/finding.ts';

/** FNV-1a with 64 bits over UTF-16 code units, as 16 hexadecimal digits: short, stable, no cryptography needed. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at++) {
    value ^= BigInt(text.charCodeAt(at));
    value = BigInt.asUintN(64, value * 0x100000001b3n);
  }
  return value.toString(16).padStart(16, '0');
}

/**
 * Identifies a finding in a later version of the file and on another machine: by rule, file, settings with their values and message, but not by
 * line, so that edits above do not change it. Equal findings of one file are numbered in order.
 * @param root the folder that the paths are relative to; values that start with it become relative too
 */
export function fingerprints(
  findings: readonly { readonly finding: Finding; readonly path: string }[],
  root: string,
): string[] {
  const counts = new Map<string, number>();
  const within = root.endsWith('/') ? root : `${root}/`;
  return findings.map(({ finding, path }) => {
    const { rule, evidence, settings, message } = finding;
    const base = [rule, path, ...(evidence ?? settings), message].join('\0').replaceAll(within, './');
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    return hash(`${base}\0${count}`);
  });
}

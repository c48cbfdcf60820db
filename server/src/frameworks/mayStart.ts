import {
  fileNamed,
  isTelling,
  mayLaunch,
  namesProgram,
  type Reach,
  reachOf,
  tailOf,
  withoutCommentLines,
} from '../launch/mayLaunch.ts';
import type { Host } from '../value/host.ts';
import { frameworks } from './registry.ts';

/** A Python program that a shell text names, with what stands before it of its path. */
const pythonFile = /(?<![\w./${}~*?+-])[\w./${}~*?+-]*\.py\b/g;

/**
 * What lets a shell text start programs, or give them words, that it does not hold itself: an option or a module whose name is put
 * together, words that are read from a file.
 */
const elsewhere = new RegExp(
  [
    /(?<![\w-])--[\w-]*[${%"']/,
    /\s-\w*m\s+["']?[\w.]*\$/,
    /\$\(\s*</,
    /\bcat\s+(?!<)/,
    /\b(?:mapfile|readarray|xargs)\b/,
    /(?<!\|\s*)\b(?:awk|cut|head|jq|paste|rev|sed|sort|tac|tail|uniq|grep(?!\s+-\w*q))\s/,
    /(?:[\s;)}]|\b(?:done|read|cat)\d?)<\s*["']?(?!\/dev\/)[\w./$~]/,
    /oomlint/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** What moves the folder in which programs are looked for. */
const moves = /\b(?:cd|pushd|chdir)\b/;

/**
 * Whether a shell text may start a program of one of the frameworks, told by the names in it and in the texts that it comes to, so that
 * scripts that only convert, serve and evaluate are not evaluated.
 * @param path where the text lies
 * @param given what else launches may be told by: values that are set from outside
 * @returns true also when it cannot be told
 */
export function mayStart(path: string, written: string, given: readonly string[], host: Host): boolean {
  // Most scripts that train say so themselves.
  if (namesProgram(written) && isNamed(written) && namesProgram(withoutCommentLines(written))) return true;
  const reach = reachOf(path, written, host);
  if (reach.open) return true;
  if (!mayLaunch(reach)) return false;
  // A script knows its own path, so that the names in that may be part of what it starts.
  const texts = [...reach.texts.flatMap((one) => [one.text, one.path]), ...given];
  if (texts.some((text) => elsewhere.test(text) || isNamed(text))) return true;
  const isMoved = texts.some((text) => moves.test(text));
  return reach.texts.some((from) => namesUser(from, isMoved, host));
}

function isNamed(text: string): boolean {
  return frameworks.some((framework) => framework.isNamedIn(text));
}

/** Whether a text names a Python program whose source tells that it is one of a framework's, or one of which that cannot be told. */
function namesUser({ path, text }: Reach['texts'][number], isMoved: boolean, host: Host): boolean {
  return [...new Set(text.match(pythonFile))].some((name) => {
    if (!isTelling(tailOf(name))) return true;
    const found = fileNamed(path, name, host);
    if (found === undefined) return isMoved && !name.startsWith('/');
    const source = host.read(found);
    return source === undefined || frameworks.some((framework) => framework.isUsedBy?.(source) === true);
  });
}

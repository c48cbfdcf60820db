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

/** A Python program named in a shell text, including the written part of its path. */
const pythonFile = /(?<![\w./${}~*?+-])[\w./${}~*?+-]*\.py\b/g;

/**
 * Ways for a shell text to start programs, or pass them words, that it does not itself contain: an option or a module whose name is assembled,
 * words read from a file.
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

/** Commands that change the folder in which programs are looked up. */
const moves = /\b(?:cd|pushd|chdir)\b/;

/**
 * Whether a shell text may start a program of one of the frameworks, judging by the names in it and in the texts it reaches, so that scripts
 * that only convert, serve or evaluate are not evaluated.
 * @param path the path of the text
 * @param given other strings by which launches may be identified: values set from outside
 * @returns true also when this cannot be determined
 */
export function mayStart(path: string, written: string, given: readonly string[], host: Host): boolean {
  // Most training scripts name their program themselves.
  if (namesProgram(written) && isNamed(written) && namesProgram(withoutCommentLines(written))) return true;
  const reach = reachOf(path, written, host);
  if (reach.open) return true;
  if (!mayLaunch(reach)) return false;
  // A script knows its own path, so names in the path may be part of what it starts.
  const texts = [...reach.texts.flatMap((one) => [one.text, one.path]), ...given];
  if (texts.some((text) => elsewhere.test(text) || isNamed(text))) return true;
  const isMoved = texts.some((text) => moves.test(text));
  return reach.texts.some((from) => namesUser(from, isMoved, host));
}

function isNamed(text: string): boolean {
  return frameworks.some((framework) => framework.isNamedIn(text));
}

/** Whether a text names a Python program whose source shows that it uses a framework, or for which this cannot be determined. */
function namesUser({ path, text }: Reach['texts'][number], isMoved: boolean, host: Host): boolean {
  return [...new Set(text.match(pythonFile))].some((name) => {
    if (!isTelling(tailOf(name))) return true;
    const found = fileNamed(path, name, host);
    if (found === undefined) return isMoved && !name.startsWith('/');
    const source = host.read(found);
    return source === undefined || frameworks.some((framework) => framework.isUsedBy?.(source) === true);
  });
}

/**
 * A placeholder, between blanks or after an equals sign, and the word after it, which may be on a continuation line of the command. Before an
 * operator (`<first file> <second file>`) the `>` has no target, and Bash reports a syntax error.
 */
export const placeToFillIn =
  /(?<=[\s=])<([A-Za-z][^<>|&;\n"'`$()]*)>(?=(?:[ \t]|\\\r?\n)+((?:[<>]\(|[^\s\\<>|&;()])\S*))/g;

/**
 * Whether what Bash takes as two redirections is certainly a placeholder: `<path to data>`, or one before a flag or a Python program, which
 * nobody writes to. Otherwise it may be what it looks like: `<in.txt> out.txt`.
 *
 * @param at position of its `<`
 */
export function isPlaceToFillIn(text: string, at: number): boolean {
  if (text.charAt(at) !== '<') return false;
  const near = text.slice(Math.max(0, at - 1), at + longest);
  for (const { 1: name = '', 2: target = '', index } of near.matchAll(placeToFillIn))
    if (index <= 1) return /\s/.test(name) || target.startsWith('-') || target.endsWith('.py');
  return false;
}

/**
 * The placeholder that begins with a `<`, if there is one: several words, which nobody reads from (`<path to data>/x.json`), or several joined
 * in capitals (`<PATH_TO_DATA>`).
 */
export function placeAt(text: string, at: number): string | undefined {
  const written = /^<[A-Za-z][^<>|&;\n"'`$()]*>/.exec(text.slice(at, at + longest))?.[0];
  if (written === undefined || /\s>$/.test(written)) return undefined;
  return /\s\S/.test(written) || /^<[A-Z\d]+(?:_[A-Z\d]+)+>$/.test(written) ? written : undefined;
}

/** Maximum number of characters examined of a placeholder with what follows it. */
const longest = 200;

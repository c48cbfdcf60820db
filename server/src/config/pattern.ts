/** Maximum length of a pattern in characters. */
const longest = 500;
/** Maximum number of wildcards in one part of a path, and of `**`: each one multiplies the ways to match a name. */
const mostWildcards = 4;

/** Why a glob pattern is rejected: matching it could take very long on names crafted for that. Undefined for any pattern that people write. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > longest) return `a pattern has at most ${longest} characters`;
  if (/[?*+@!]\(/.test(pattern)) return 'patterns in brackets, as in +(a|b), are not supported';
  if (pattern.split('**').length - 1 > mostWildcards) return `a pattern has at most ${mostWildcards} **`;
  if (pattern.split('/').some((part) => part !== '**' && part.split('*').length - 1 > mostWildcards))
    return `a pattern has at most ${mostWildcards} * between two slashes`;
  return undefined;
}

/** Maximum number of open repeats in a regular expression of a project's own constraint. */
const mostRepeats = 2;

/**
 * Why a regular expression is rejected in a constraint of a project: it could take very long on texts crafted for that. Rejected are repeated
 * groups that contain a repeat or an alternative, look-around, back-references, and more than a few open repeats.
 */
export function expressionProblem(source: string): string | undefined {
  if (source.length > longest) return `a regular expression has at most ${longest} characters`;
  const plain = source.replace(/\\(.)/g, (_, escaped: string) => (/[1-9k]/.test(escaped) ? '\u0000' : '_'));
  if (plain.includes('\u0000')) return 'a regular expression has no back-references here';
  const outside = plain.replace(/\[\^?\]?[^\]]*\]/g, '_');
  if (/\(\?<?[=!]/.test(outside)) return 'a regular expression has no look-around here';
  const repeats = outside.match(/[*+]|\{\d+,\d*\}/g) ?? [];
  if (repeats.length > mostRepeats) return `a regular expression repeats at most ${mostRepeats} times here`;
  const groups: boolean[] = [];
  for (let at = 0; at < outside.length; at++) {
    const character = outside[at] ?? '';
    if (character === '(') groups.push(false);
    else if (character === ')') {
      const risky = groups.pop() ?? false;
      if (risky && /^(?:[*+]|\{)/.test(outside.slice(at + 1)))
        return 'a regular expression repeats no group that repeats or chooses inside';
      if (risky && groups.length > 0) groups[groups.length - 1] = true;
    } else if (/[*+|{]/.test(character) || (character === '?' && outside[at - 1] !== '('))
      if (groups.length > 0) groups[groups.length - 1] = true;
  }
  try {
    new RegExp(source, 'u');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

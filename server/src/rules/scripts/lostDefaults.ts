import { withoutComments } from '../../text/comments.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';
import type { TriedScript } from './beforeLaunch.ts';

/** An assignment or an option, up to the word after it; not in single quotes, where `${now:…}` may be for a configuration. */
const place = String.raw`(?:^[ \t]*(?:(?:export|local|readonly)[ \t]+)?([A-Za-z_]\w*)=|(?<=\s)--[A-Za-z][\w-]*[ \t=])"?`;

/** A substring expansion as Bash reads it (`${NAME:word}`), whose word contains no expansion and is not a default (`:-`, `:=`). */
const part = new RegExp(String.raw`${place}\$\{([A-Za-z_]\w*):([\w./~][^\s{}$"'\\:()\x60]*)\}`, 'gm');

/** Words that are not arithmetic: numbers with a point or an exponent, paths. */
const neverComputed = /^(?:\d*\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|(?:~|\.{1,2})?\/.*)$/;

/** Words that are only arithmetic if their names are variables. */
const namesOnly = /^[A-Za-z_]\w[\w.-]*$/;

/**
 * Defaults without their dash: Bash reads `LR=${LR:1e-5}` as the substring of LR from position `1e-5` on, which is empty if LR is unset.
 *
 * @param assigned variables that the script and the files it reads assign
 */
export function lostDefaultFindings(
  { text, toPlace }: TriedScript,
  assigned: () => ReadonlySet<string>,
  common: CommonRules,
): Finding[] {
  if (!/\$\{\w+:[\w./~]/.test(text)) return [];
  return [...withoutComments(text).matchAll(part)].flatMap((match) => {
    const [whole, target, name = '', word = ''] = match;
    // Lowercase names may also be resolvers of configurations: `${now:…}`.
    if (target !== name && !/^[A-Z][A-Z\d_]*$/.test(name)) return [];
    if (!neverComputed.test(word) && !isOfUnknownNames(word, assigned)) return [];
    const end = match.index + whole.length;
    const written = `\${${name}:${word}}`;
    const span = { start: end - written.length, end };
    const dash = span.start + `\${${name}:`.length;
    const at = toPlace({ start: dash, end: dash });
    const fixes = [suggestedFix(`Write \${${name}:-${word}}`, [{ ...at, newText: '-' }])];
    return commonFinding(
      common,
      'default-without-dash',
      toPlace(span),
      { name, written },
      { certainty: 'likely', fixes },
    );
  });
}

/** Whether a word is text rather than arithmetic on variables: none of its names is assigned. */
function isOfUnknownNames(word: string, assigned: () => ReadonlySet<string>): boolean {
  return namesOnly.test(word) && !word.split(/\W+/).some((one) => assigned().has(one));
}

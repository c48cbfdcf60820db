import type { BashResult } from '../../bash/options.ts';
import type { Command } from '../../launch/command.ts';
import { namesProgram } from '../../launch/mayLaunch.ts';
import { applyEdits } from '../../text/edit.ts';
import { isSlip } from '../../text/spelling.ts';
import { textOf } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, suggestedFix } from '../finding.ts';
import { nameFindings } from '../names.ts';
import type { CommonRules } from '../rule.ts';
import type { TriedScript } from '../scripts/beforeLaunch.ts';

/**
 * Misspelt names because of which a script starts no program that we check: that of the launching function, or of the variable with the
 * command.
 *
 * @param read the text of a file
 */
export function misnamedLaunch(
  script: TriedScript,
  { commands, sources }: Pick<BashResult, 'commands' | 'sources'>,
  read: (path: string) => string | undefined,
  common: CommonRules,
): readonly Finding[] {
  if (!namesProgram(script.text)) return [];
  const paths = [...new Set([script.path, ...sources])];
  const found = [
    ...functionFindings(script, commands, common),
    ...nameFindings(commands.filter(isVariable), { common, read, paths }),
  ];
  return found.filter((finding) => leadsToOurs(finding, script));
}

/** Whether a command begins with a variable that has no value: `$RUN`, `eval "$RUN"`. */
function isVariable({ words: [first, second] }: Command): boolean {
  const word = first !== undefined && /^(?:eval|exec|time)$/.test(textOf(first) ?? '') ? second : first;
  const [piece] = word?.pieces ?? [];
  return piece?.kind === 'hole' && piece.reason === 'environment';
}

/** Whether a script starts a program that we check once a finding in it is fixed. */
function leadsToOurs({ fixes: [fix] }: Finding, { path, text, toSpan, oursIn }: TriedScript): boolean {
  if (fix === undefined || fix.edits.some((edit) => edit.path !== path)) return false;
  const edits = fix.edits.map((edit) => ({ ...edit, span: toSpan(edit) }));
  const mended = applyEdits(text, edits);
  return mended !== undefined && oursIn(mended).length > 0;
}

/** `name() {`, `function name`. */
const definition =
  /(?:^|[;&|({])[ \t]*(?:function[ \t]+([A-Za-z_][\w-]*)|([A-Za-z_][\w-]*)[ \t]*\([ \t]*\))/gm;

/** Commands with nearly the name of a function in the script that is never called. */
function functionFindings(
  { path, text }: TriedScript,
  commands: readonly Command[],
  common: CommonRules,
): readonly Finding[] {
  const code = text.replace(/^[ \t]*#.*$/gm, '');
  const idle = [...code.matchAll(definition)]
    .map(([, named, plain]) => named ?? plain ?? '')
    .filter((name) => [...code.matchAll(new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'g'))].length === 1);
  if (idle.length === 0) return [];
  return commands.flatMap(({ words: [word] }) => {
    const written = word === undefined ? undefined : textOf(word);
    if (word === undefined || written === undefined || word.place.path !== path) return [];
    const meant = idle.filter((name) => isSlip(written, name));
    const [name] = meant;
    if (name === undefined || meant.length > 1) return [];
    const fix = suggestedFix(`Write ${name}`, [{ ...word.place, newText: name }]);
    return commonFinding(
      common,
      'misspelt-program',
      word.place,
      { written, meant: name },
      { certainty: 'likely', fixes: [fix] },
    );
  });
}

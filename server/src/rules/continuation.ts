import type { Command } from '../launch/command.ts';
import { isCutOff } from '../launch/cut-off.ts';
import { knownPrefix } from '../value/word.ts';
import type { Finding, Fix } from './finding.ts';
import { type CommonRules, fillMessage } from './rule.ts';

/** The edit that joins a line to the one above it, when that line can take a backslash. */
function joinAbove(path: string, text: string, offset: number): Fix[] {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  if (lineStart === 0 || text.slice(lineStart, offset).trim() !== '') return [];
  const above = text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, lineStart - 1).replace(/\r$/, '');
  // Behind a comment a backslash is part of the comment.
  if (above.trim() === '' || above.endsWith('\\') || /(?:^|\s)#/.test(above)) return [];
  // A backslash with blanks behind it, where it continues nothing, is put at the end of its line.
  const blanks = /\\[ \t]+$/.exec(above)?.[0].length ?? 0;
  const end = lineStart - 1 - (text[lineStart - 2] === '\r' ? 1 : 0);
  return [
    {
      title: 'Continue the command above',
      safety: 'suggested',
      cost: undefined,
      edits: [{ path, span: { start: end - blanks, end }, newText: blanks > 0 ? '\\' : ' \\' }],
    },
  ];
}

/** Commands whose program is an option: the rest of a command above whose backslash was lost. */
export function continuationFindings(
  commands: readonly Command[],
  read: (path: string) => string | undefined,
  common: CommonRules,
): Finding[] {
  const rule = common.get('missing-continuation');
  if (rule === undefined) return [];
  const seen = new Set<string>();
  return commands.flatMap((command) => {
    const word = command.words[0];
    if (word === undefined || !isCutOff(command)) return [];
    const { path, span } = word.place;
    if (seen.has(`${path}:${span.start}`)) return [];
    seen.add(`${path}:${span.start}`);
    return [
      {
        rule: rule.id,
        severity: rule.severity,
        certainty: 'certain',
        phase: rule.phase,
        message: fillMessage(rule.message, { name: knownPrefix(word) }),
        framework: undefined,
        place: word.place,
        related: [],
        settings: [],
        fixes: joinAbove(path, read(path) ?? '', span.start),
        tags: [],
      },
    ];
  });
}

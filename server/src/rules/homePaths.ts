import type { FrameworkId, Run, Setting } from '../frameworks/framework.ts';
import { cut } from '../launch/pieces.ts';
import type { Place } from '../text/span.ts';
import { textOf, type Word } from '../value/word.ts';
import { commonFinding } from './commonFinding.ts';
import type { Finding, Fix } from './finding.ts';
import type { CommonRules } from './rule.ts';

/** Frameworks that open paths as they are given: no `expanduser` in megatron/ of Megatron-LM at d98e8a64, nor in slime/ of slime. */
const takingAsGiven: ReadonlySet<FrameworkId> = new Set<FrameworkId>(['megatron-lm', 'slime', 'relax']);

/** What is handed to libraries that expand it themselves: pyarrow, Weights & Biases, SGLang's own parser. */
const expandedElsewhere = /^(?:prompt_data|eval_prompt_data|wandb_\w+|sglang_\w+)$/;

/**
 * Paths that begin with a `~` when they reach the program: in quotes and behind `=` Bash leaves it as it is.
 *
 * @param read text of a file
 */
export function homePathFindings(
  { framework, settings }: Run,
  common: CommonRules,
  read: (path: string) => string | undefined,
): Finding[] {
  if (!takingAsGiven.has(framework)) return [];
  return settings.flatMap((setting) => {
    if (expandedElsewhere.test(setting.name)) return [];
    return valuesOf(setting).flatMap((value) => {
      const path = textOf(value);
      if (path === undefined || !/^~(?:\/|$)/.test(path)) return [];
      const origin = value.pieces[0]?.origin;
      const place = origin?.place ?? value.place;
      return commonFinding(
        common,
        'home-not-expanded',
        place,
        { name: setting.written, value: path },
        {
          certainty: 'likely',
          framework,
          settings: [setting.written],
          fixes: origin?.verbatim === true ? fixOf(place, read) : [],
        },
      );
    });
  });
}

/** The values of a flag, as they are given. */
function valuesOf({ syntax }: Setting): readonly Word[] {
  if (syntax.kind !== 'flag') return [];
  if (!syntax.joined) return syntax.valueWords;
  const equals = textOf(syntax.keyWord)?.indexOf('=') ?? -1;
  return equals < 0 ? [] : [cut(syntax.keyWord, equals + 1)];
}

/** `$HOME` in place of the `~`, where no single quotes may stand around it, in which Bash expands nothing. */
function fixOf(
  { path, span: { start: at } }: Place,
  read: (path: string) => string | undefined,
): readonly Fix[] {
  const text = read(path);
  if (text?.charAt(at) !== '~') return [];
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  if (line.includes("'") || /<<-?\s*["'\\]/.test(text.slice(0, at))) return [];
  const edits = [{ path, span: { start: at, end: at + 1 }, newText: '$HOME' }];
  return [{ title: 'Write $HOME', safety: 'suggested', cost: undefined, edits }];
}

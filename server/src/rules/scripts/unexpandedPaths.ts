import data from '../../../../schemas/common/paths.json';
import type { Run, Setting } from '../../frameworks/framework.ts';
import { cut } from '../../launch/pieces.ts';
import { isYamlName } from '../../text/fileNames.ts';
import type { Place } from '../../text/span.ts';
import { textOf, type Word } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/** The settings that hold paths which a framework opens exactly as given. */
interface TakenAsGiven {
  /** Whether they are options of the command line, or else keys, which a configuration may also have. */
  readonly areFlags: boolean;
  readonly names: RegExp;
}

const takenAsGiven: ReadonlyMap<string, TakenAsGiven> = new Map(
  Object.entries(data.frameworks).map(([framework, { settings, names }]) => [
    framework,
    { areFlags: settings === 'flags', names: new RegExp(names) },
  ]),
);

/** A path from a setting, and where its characters come from. */
interface GivenPath {
  readonly text: string;
  readonly place: Place;
  readonly verbatim: boolean;
}

/**
 * Paths that still begin with `~` when they reach the program: Bash does not expand it in quotes and after `=`. In a configuration also those
 * that begin with a shell variable.
 *
 * @param read text of a file
 */
export function unexpandedPathFindings(
  { framework, settings }: Run,
  common: CommonRules,
  read: (path: string) => string | undefined,
): Finding[] {
  const given = takenAsGiven.get(framework);
  if (given === undefined) return [];
  const reported = new Set<string>();
  return settings.flatMap((setting) => {
    if (!given.names.test(setting.name)) return [];
    return (given.areFlags ? valuesOf(setting) : keyedValueOf(setting)).flatMap(
      ({ text, place, verbatim }) => {
        // The characters of a reference to another setting come from there.
        const key = `${place.path} ${place.span.start}`;
        const start = unexpanded(text, place);
        if (start === undefined || reported.has(key)) return [];
        reported.add(key);
        const { rule, written, meant } = start;
        return commonFinding(
          common,
          rule,
          place,
          { name: setting.written, value: text, written },
          {
            certainty: 'likely',
            framework,
            settings: [setting.written],
            fixes: verbatim ? fixOf(place, read, written, meant) : [],
          },
        );
      },
    );
  });
}

/** The beginning of a path that nothing expands, and its equivalent. */
interface Unexpanded {
  readonly rule: string;
  readonly written: string;
  readonly meant: string;
}

function unexpanded(text: string, { path }: Place): Unexpanded | undefined {
  const isYaml = isYamlName(path);
  if (/^~(?:\/|$)/.test(text))
    return { rule: 'home-not-expanded', written: '~', meant: isYaml ? '${oc.env:HOME}' : '$HOME' };
  const [written, name] = (isYaml && /^\$([A-Za-z_]\w*)(?=\/|$)/.exec(text)) || [];
  return written === undefined || name === undefined
    ? undefined
    : { rule: 'variable-in-yaml', written, meant: `\${oc.env:${name}}` };
}

/** The value of a key. */
function keyedValueOf({ value, origin, valuePlace }: Setting): readonly GivenPath[] {
  const place = origin?.place ?? valuePlace;
  if (value.kind !== 'known' || typeof value.data !== 'string' || place === undefined) return [];
  return [{ text: value.data, place, verbatim: origin?.verbatim !== false }];
}

/** The values of a flag, as they are given. */
function valuesOf(setting: Setting): readonly GivenPath[] {
  return wordsOf(setting).flatMap((word) => {
    const text = textOf(word);
    const origin = word.pieces[0]?.origin;
    return text === undefined
      ? []
      : [{ text, place: origin?.place ?? word.place, verbatim: origin?.verbatim === true }];
  });
}

function wordsOf({ syntax }: Setting): readonly Word[] {
  if (syntax.kind !== 'flag') return [];
  if (!syntax.joined) return syntax.valueWords;
  const equals = textOf(syntax.keyWord)?.indexOf('=') ?? -1;
  return equals < 0 ? [] : [cut(syntax.keyWord, equals + 1)];
}

/**
 * Replaces the beginning of a path by its equivalent. Not within single quotes, in which Bash expands nothing, nor within a flow collection of
 * a configuration.
 */
function fixOf(
  { path, span: { start: at } }: Place,
  read: (path: string) => string | undefined,
  written: string,
  newText: string,
): readonly Fix[] {
  const text = read(path);
  if (text?.startsWith(written, at) !== true) return [];
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const isLiteral = isYamlName(path)
    ? /[{[]/.test(line)
    : line.includes("'") || /<<-?\s*["'\\]/.test(text.slice(0, at));
  if (isLiteral) return [];
  const edits = [{ path, span: { start: at, end: at + written.length }, newText }];
  return [suggestedFix(`Write ${newText}`, edits)];
}

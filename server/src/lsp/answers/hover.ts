import type { Hover, HoverParams, MarkupKind } from 'vscode-languageserver';
import type { VariableReference } from '../../bash/options.ts';
import { hasConfigName } from '../../config/discover.ts';
import { resultOf } from '../../expression/evaluate.ts';
import { equal, UNKNOWN } from '../../expression/result.ts';
import { allocatorSettings, allocatorVariables, knownSettings } from '../../frameworks/allocator.ts';
import type { EnvironmentFacts } from '../../frameworks/environment.ts';
import type { Effective, FrameworkId, Run } from '../../frameworks/framework.ts';
import { titleOf, usualOfFlags } from '../../frameworks/framework.ts';
import type { OptionFact } from '../../frameworks/knowledge.ts';
import type { FileReport } from '../../linter.ts';
import { kindOf } from '../../recognise.ts';
import { escapeMarkdown } from '../../report/markdown.ts';
import { floorText, notCountedText } from '../../report/memory.ts';
import { memoryFloorsOf } from '../../rules/memoryFloors.ts';
import { lineBefore } from '../../text/lines.ts';
import { type Place, samePlace } from '../../text/span.ts';
import { display, textOf, type Word } from '../../value/word.ts';
import { touches } from '../protocol/positions.ts';
import type { Session } from '../session.ts';
import { aboutConfig } from './configHover.ts';
import { bytesText, describeRun, meaningOfFlag, unknownText, valueText } from './describe.ts';
import { aboutFindings } from './findingHover.ts';
import { type LocatedSetting, runsAt, settingAt } from './locate.ts';
import { code, markup } from './markdown.ts';
import { placeLink } from './placeLink.ts';

/**
 * What is at a position: why there are findings, and an option, a variable, an environment variable, or the launch.
 * @param kind what the editor shows
 */
export function hover(params: HoverParams, session: Session, kind: MarkupKind): Hover | null {
  const uri = params.textDocument.uri;
  const path = session.uris.pathOf(uri);
  const view = session.view(path);
  const offset = view.offset(params.position);
  const about = hasConfigName(path)
    ? kindOf(path, view.text) === 'yaml'
      ? aboutConfig(path, view.text, offset, {
          ...session.platform,
          constraints: session.linter().settingsOf(path).constraints,
        })
      : undefined
    : contentAt(uri, path, view.text, offset, session);
  const word = about === undefined ? undefined : view.range(about.place.span);
  const found = aboutFindings(uri, params.position, session, word);
  const range = word ?? found.range;
  if (range === undefined) return null;
  const lines = [...found.lines, ...(about?.lines ?? []), ...found.around];
  return { contents: markup(lines.join('\n\n'), kind), range };
}

function contentAt(
  uri: string,
  path: string,
  text: string,
  offset: number,
  session: Session,
): HoverText | undefined {
  const reports = session.reportsOn(uri);
  return (
    firstOf(reports, (report) => aboutSettingAt(report, path, offset, session)) ??
    firstOf(reports, (report) => aboutReferenceAt(report, path, offset, session)) ??
    firstOf(reports, (report) => aboutVariableAt(report, path, offset, session)) ??
    (reports.length === 0 ? undefined : aboutFlagAt(path, text, offset, session)) ??
    firstOf(reports, (report) => aboutRunAt(report, path, offset, session))
  );
}

/** The text about a place, in paragraphs. */
interface HoverText {
  readonly place: Place;
  readonly lines: readonly string[];
}

function firstOf<T, R>(all: readonly T[], look: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const found = look(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function aboutSettingAt(
  report: FileReport,
  path: string,
  offset: number,
  session: Session,
): HoverText | undefined {
  const setting = settingAt(report, path, offset, session);
  return setting && { place: setting.place, lines: aboutSetting(setting, path, session) };
}

/** A variable where it is read or assigned; the innermost place if they are nested. */
function aboutReferenceAt(
  report: FileReport,
  path: string,
  offset: number,
  session: Session,
): HoverText | undefined {
  const width = ({ place }: VariableReference): number => place.span.end - place.span.start;
  const [reference] = report.references
    .filter(({ place }) => touches(place, path, offset))
    .sort((a, b) => width(a) - width(b));
  if (reference === undefined) return undefined;
  const { name, word, place } = reference;
  // The words inside an array's parentheses are not part of the name.
  const isArray = reference.kind === 'assignment' && word === undefined;
  if (isArray && offset > place.span.start + name.length) return undefined;
  const value = word === undefined ? wordsOf(name, report) : wordText(word);
  const assigned = reference.assignments.map((at) => placeLink(at, path, session)).join(', ');
  const lines = [
    `**${escapeMarkdown(name)}**${value === undefined ? '' : ` = ${value}`}`,
    ...(assigned === '' ? [] : [`assigned at ${assigned}`]),
    ...aboutEnvironment(name, word && textOf(word), session.platform.environment),
  ];
  return { place, lines };
}

/** An environment variable of a launch that is set in another way, such as a runtime environment. */
function aboutVariableAt(
  report: FileReport,
  path: string,
  offset: number,
  session: Session,
): HoverText | undefined {
  for (const run of report.runs)
    for (const [name, { value, place: written }] of run.env) {
      const place = written.path === path ? keyed(name, written, session) : written;
      if (!touches(place, path, offset)) continue;
      const shown = value.kind === 'known' ? valueText(value.data) : unknownText(value.label, value.reason);
      const text = value.kind === 'known' && typeof value.data === 'string' ? value.data : undefined;
      const about = aboutEnvironment(name, text, session.platform.environment);
      return { place, lines: [`**${escapeMarkdown(name)}** = ${shown}`, ...about] };
    }
  return undefined;
}

/** The place of a variable's value, extended to its name if that precedes it on the same line, as in the environment of a job. */
function keyed(name: string, place: Place, session: Session): Place {
  const { start, end } = place.span;
  const before = lineBefore(session.view(place.path).text, start);
  const [key, , named] = /(["']?)([A-Za-z_]\w*)\1[ \t]*[:=][ \t]*["']?$/.exec(before) ?? [];
  return key !== undefined && named === name
    ? { path: place.path, span: { start: start - key.length, end } }
    : place;
}

/** A flag, recognised only by its name. */
function aboutFlagAt(path: string, text: string, offset: number, session: Session): HoverText | undefined {
  if (session.kindOf(path, text) !== 'shell') return undefined;
  const start = offset - (/--[\w-]*$/.exec(lineBefore(text, offset))?.[0].length ?? 0);
  const flag = /^--[\w-]+/.exec(text.slice(start))?.[0];
  if (flag === undefined) return undefined;
  const place = { path, span: { start, end: start + flag.length } };
  return firstOf(usualOfFlags, (set) => {
    const option = [...session.options(set).values()].find(({ flags }) => flags?.includes(flag) === true);
    return option && { place, lines: [...aboutOption(flag, option), upstream(set, option, session)] };
  });
}

function aboutRunAt(
  report: FileReport,
  path: string,
  offset: number,
  session: Session,
): HoverText | undefined {
  const [run] = runsAt(report, path, offset);
  return run && { place: run.place, lines: aboutRun(run, session) };
}

/** The text of a word; if all of it is unknown, the reason. */
function wordText(word: Word): string {
  const [only, ...others] = word.pieces;
  if (only?.kind === 'hole' && others.length === 0) return unknownText(only.label, only.reason);
  return code(display(word));
}

/** The words that an array expands to in a launch. */
function wordsOf(name: string, report: FileReport): string | undefined {
  const places = report.references.flatMap((one) =>
    one.name === name && one.kind === 'expansion' ? [one.place] : [],
  );
  for (const { command } of report.launches) {
    const words = command.words.filter((word) =>
      word.pieces.some(({ origin }) =>
        origin.via.some((through) => places.some((place) => samePlace(through, place))),
      ),
    );
    if (words.length > 0)
      return `${words.length} word${words.length === 1 ? '' : 's'}: ${code(words.map(display).join(' '))}`;
  }
  return undefined;
}

/**
 * A readable name for an address, since not every editor shows the target of a link: a line of upstream's code, or a page without its protocol.
 */
function nameOfSource(address: string): string {
  const line = /^https:\/\/github\.com\/[^/]+\/([^/]+)\/blob\/(\w{8})\w*\/(.+)#L(\d+)$/.exec(address);
  if (line !== null) return `${line[1]} ${line[2]}: ${line[3]}:${line[4]}`;
  const { hostname, pathname } = new URL(address);
  return `${hostname}${pathname}`;
}

/** What an environment variable does to the job, each piece of an allocator string, and the source of that. */
function aboutEnvironment(name: string, text: string | undefined, facts: EnvironmentFacts): string[] {
  const known = facts.variables.find((one) => one.name === name);
  if (known === undefined) return [];
  const source = `_[${escapeMarkdown(nameOfSource(known.source))}](${known.source})_`;
  if (text === undefined || !allocatorVariables.includes(name)) return [known.describe, source];
  const pieces = [...allocatorSettings(text)].map(([key, set]) => {
    return `- ${code(`${key}:${set}`)} – ${knownSettings.get(key)?.describe ?? 'not known here'}`;
  });
  return [known.describe, pieces.join('\n'), source];
}

/** A link to the line of upstream's source that defines an option, at the commit from which the facts were taken. */
function upstream(set: FrameworkId, option: OptionFact, session: Session): string {
  const { repository, commit } = session.platform.knowledgeOf(set);
  const place = /^([\w./-]+):(\d+)$/.exec(option.source);
  const text = escapeMarkdown(option.source);
  const linked =
    place === null
      ? text
      : `[${text}](https://github.com/${repository}/blob/${commit}/${place[1]}#L${place[2]})`;
  return `_${titleOf(set)} ${commit.slice(0, 8)}: ${linked}_`;
}

function aboutRun(run: Run, session: Session): string[] {
  const lines = [`**${describeRun(run)}**`, `Recognised: ${escapeMarkdown(run.because)}.`];
  for (const { text } of run.launch?.assumptions ?? []) lines.push(`Assuming that ${escapeMarkdown(text)}.`);
  if (run.open) lines.push('More settings may follow that the text does not show.');
  for (const floor of memoryFloorsOf(run, session.platform.knowledgeOf)) {
    const text = escapeMarkdown(`Memory: ${floorText(floor)}.`);
    lines.push(`${text} _This is ${escapeMarkdown(notCountedText(floor))}._`);
  }
  return lines;
}

function typeText(option: OptionFact): string {
  const base = option.type === 'list' && option.items !== undefined ? `list of ${option.items}` : option.type;
  const choices =
    option.choices === undefined
      ? ''
      : `, one of ${option.choices.map((choice) => code(String(choice))).join(' ')}`;
  const unit = option.unit === undefined ? '' : ` (${option.unit})`;
  return `${base}${unit}${choices}`;
}

function inForce(effective: Effective, unit: string | undefined): string {
  const value = resultOf(effective.value);
  if (value === UNKNOWN)
    return effective.value.kind === 'unknown'
      ? unknownText(effective.value.label, effective.value.reason)
      : 'unknown';
  const bytes = unit === 'bytes' && typeof value === 'number' ? bytesText(value) : undefined;
  return `${valueText(value)}${bytes === undefined ? '' : ` = ${bytes}`}`;
}

/** Type, meaning, default. */
function aboutOption(written: string, option: OptionFact): string[] {
  const meaning = meaningOfFlag(written, option);
  return [
    `**${escapeMarkdown(written)}** · ${typeText(option)}`,
    ...(meaning === undefined ? [] : [meaning]),
    ...(option.defaultUnknown === true ? [] : [`Default: ${valueText(option.default)}`]),
  ];
}

/** What the recipe named by a setting sets that matters to memory and parallelism, as far as it is in effect. */
function recipeLines({ setting, run }: LocatedSetting, session: Session): string[] {
  const sets = [...session.options(run.framework).values()].flatMap((option) => {
    if (option.describe === undefined) return [];
    const found = run.scopes[0]?.lookup(option.name);
    if (found?.how !== 'preset' || !found.from.includes(setting.name)) return [];
    const { value } = found;
    if (value.kind !== 'known' || equal(value.data, option.default)) return [];
    return [`${code(option.name)} ${valueText(value.data)}`];
  });
  return sets.length === 0 ? [] : [`In force from here: ${sets.join(', ')}`];
}

function aboutSetting(located: LocatedSetting, path: string, session: Session): string[] {
  const { setting, option, effective, run } = located;
  const lines =
    option === undefined ? [`**${escapeMarkdown(setting.written)}**`] : aboutOption(setting.written, option);
  if (effective !== undefined) {
    const because = effective.because === undefined ? '' : ` – ${escapeMarkdown(effective.because)}`;
    const how = effective.how === 'given' ? 'In force' : `In force (${effective.how})`;
    lines.push(`${how}: ${inForce(effective, option?.unit)}${because}`);
  }
  lines.push(...recipeLines(located, session));
  const chain =
    setting.origin === undefined ? [] : [setting.origin.place, ...[...setting.origin.via].reverse()];
  const places = chain.map((place) => placeLink(place, path, session));
  if (places.length > 1)
    lines.push(`From ${places.filter((text, at) => text !== places[at - 1]).join(' → ')}`);
  if (option?.deprecated === true) lines.push('_Deprecated._');
  if (option !== undefined) {
    const sets = [...new Set([run.framework, ...run.scopes.map(({ set }) => set)])];
    const set = sets.find((one) => session.options(one).get(option.name) === option);
    lines.push(upstream(set ?? run.framework, option, session));
  }
  return lines;
}

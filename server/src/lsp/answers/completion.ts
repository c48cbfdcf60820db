import type { CompletionParams } from 'vscode-languageserver';
import {
  type CompletionItem,
  CompletionItemKind,
  CompletionItemTag,
  type MarkupKind,
  type Range,
} from 'vscode-languageserver-types';
import { hasConfigName } from '../../config/discover.ts';
import { show } from '../../expression/message.ts';
import type { FrameworkId, Run } from '../../frameworks/framework.ts';
import { frameworkIds, usualOfFlags } from '../../frameworks/framework.ts';
import type { OptionFact } from '../../frameworks/knowledge.ts';
import { namesProgram } from '../../launch/mayLaunch.ts';
import type { FileReport } from '../../linter.ts';
import { kindOf } from '../../recognise.ts';
import { escapeMarkdown } from '../../report/markdown.ts';
import { lineBefore } from '../../text/lines.ts';
import { touches } from '../protocol/positions.ts';
import type { Session } from '../session.ts';
import { acceptedValues } from './acceptedValues.ts';
import { allocationItems } from './allocationCompletion.ts';
import { blockScriptAt } from './blockScript.ts';
import { plainItems } from './completionItems.ts';
import { configItems } from './configCompletion.ts';
import { aboutRule } from './configHover.ts';
import { constraintItems } from './constraintCompletion.ts';
import { meaningOfFlag, valueText } from './describe.ts';
import { allocatorItems, environmentItems, yamlEnvironmentItems } from './environmentCompletion.ts';
import { launcherItems } from './launcherCompletion.ts';
import { code, markup } from './markdown.ts';
import { launchesAt } from './optionPlace.ts';
import { yamlPathAt } from './yamlPath.ts';

/** An option and the framework whose knowledge contains it. */
interface Offered {
  readonly set: FrameworkId;
  readonly option: OptionFact;
}

/** The input of a completion. */
interface Place {
  readonly report: FileReport;
  /** The launches that the text belongs to: its own, or those of scripts that read it. */
  readonly runs: readonly Run[];
  readonly path: string;
  readonly text: string;
  readonly offset: number;
  /** The line up to the cursor. */
  readonly before: string;
  readonly session: Session;
  /** The range from `back` characters before the cursor to the cursor, or to `ahead` characters after it. */
  readonly range: (back: number, ahead?: number) => Range;
}

/** The options that may be written in a run: those that exist in one of its scopes. */
function optionsOfRun(run: Run, session: Session): Offered[] {
  const sets = [...new Set<FrameworkId>([run.framework, ...run.scopes.map((scope) => scope.set)])];
  const all = sets.flatMap((set) => [...session.options(set).values()].map((option) => ({ set, option })));
  const there = all.filter(
    ({ option }) =>
      option.type === 'group' || run.scopes.some((scope) => scope.lookup(option.name) !== undefined),
  );
  return there.some(({ option }) => option.type !== 'group') ? there : all;
}

/** Names that are set elsewhere, not at the cursor. */
function givenNames({ runs, path, offset }: Place): ReadonlySet<string> {
  return new Set(
    runs.flatMap(({ settings }) =>
      settings.filter(({ keyPlace }) => !touches(keyPlace, path, offset)).map(({ name }) => name),
    ),
  );
}

/** What the launches at a place lack, as it is written: the settings of findings that are set nowhere. */
function missingNames({ report, session, path }: Place, given: ReadonlySet<string>): ReadonlySet<string> {
  const reports = [report, ...session.reportsOn(session.uris.uriOf(path))];
  const named = reports.flatMap(({ findings }) =>
    findings.flatMap(({ severity, settings }) => (severity === 'info' ? [] : settings)),
  );
  return new Set(named.filter((name) => !given.has(name)));
}

/** Ranks likely items first and deprecated ones last. */
function ranked(item: CompletionItem, name: string, likely: ReadonlySet<string>): CompletionItem {
  const isDeprecated = item.tags?.includes(CompletionItemTag.Deprecated) === true;
  const rank = likely.has(name) ? 0 : isDeprecated ? 2 : 1;
  return { ...item, sortText: `${rank}${item.label}` };
}

function itemOf(label: string, { set, option }: Offered, range: Range, suffix: string): CompletionItem {
  return {
    label,
    kind: CompletionItemKind.Property,
    detail:
      option.defaultUnknown === true || option.default === null
        ? option.type
        : `${option.type} = ${option.default === '' ? "''" : show(option.default)}`,
    textEdit: { range, newText: `${label}${suffix}` },
    data: { set, name: option.name },
    ...(option.deprecated === true ? { tags: [CompletionItemTag.Deprecated] } : {}),
  };
}

function documentation(label: string, option: OptionFact): string {
  const meaning = meaningOfFlag(label, option);
  const lines = meaning === undefined ? [] : [meaning];
  if (option.choices !== undefined)
    lines.push(`One of ${option.choices.map((choice) => code(String(choice))).join(', ')}`);
  if (option.defaultUnknown !== true) lines.push(`Default: ${valueText(option.default)}`);
  lines.push(`_${escapeMarkdown(option.source)}_`);
  return lines.join('\n\n');
}

/**
 * The item selected in an editor, with its documentation.
 * @param kind what the editor shows
 */
export function resolveCompletion(item: CompletionItem, session: Session, kind: MarkupKind): CompletionItem {
  const data: unknown = item.data;
  if (typeof data !== 'object' || data === null) return item;
  if ('rule' in data) {
    const { constraints } = session.linter().settingsOf(session.folders[0] ?? '/');
    const lines = aboutRule(String(data.rule), { ...session.platform, constraints });
    return { ...item, documentation: markup(lines.join('\n\n'), kind) };
  }
  if (!('set' in data) || !('name' in data)) return item;
  const set = frameworkIds.find((id) => id === data.set);
  const option = set === undefined ? undefined : session.options(set).get(String(data.name));
  if (option === undefined) return item;
  return { ...item, documentation: markup(documentation(item.label, option), kind) };
}

function valueItems(offered: Offered | undefined, range: Range, session: Session): CompletionItem[] {
  if (offered === undefined) return [];
  const { set, option } = offered;
  const values =
    option.choices?.map(String) ??
    (option.type === 'bool'
      ? ['true', 'false']
      : acceptedValues(session.platform.knowledgeOf(set).constraints, option.name));
  return plainItems(
    values.map((label) => ({ label })),
    CompletionItemKind.EnumMember,
    range,
  );
}

/** Completions at a position: settings of a configuration, suppression comments, environment and allocator settings, flags, overrides and keys with their values. */
export function completion(params: CompletionParams, session: Session): CompletionItem[] {
  const uri = params.textDocument.uri;
  const path = session.uris.pathOf(uri);
  const view = session.view(path);
  const { text } = view;
  const offset = view.offset(params.position);
  const range = (back: number, ahead = 0): Range => view.range({ start: offset - back, end: offset + ahead });
  if (hasConfigName(path) && kindOf(path, text) === 'yaml')
    return (
      constraintItems(text, offset, session.platform.knowledgeOf, range) ??
      configItems(text, offset, () => session.linter().ruleIds(), range)
    );
  const report = session.lint(uri)?.report;
  if (report === undefined) return [];
  const before = lineBefore(text, offset);
  const runs = session.reportsOn(uri).flatMap((one) => one.runs);
  const place: Place = { report, runs, path, text, offset, before, session, range };
  const special = inComment(place) ?? allocatorItems(before, range);
  if (special !== undefined) return special;
  if (session.kindOf(path, text) !== 'yaml') return inShell(place);
  const script = blockScriptAt(text, offset);
  return script === undefined ? inYaml(place) : inBlock(place, script);
}

/** Completions in a YAML block: those of a shell script, and none in other texts. */
function inBlock(place: Place, script: string): CompletionItem[] {
  const runs = place.runs.filter(({ launch }) => launch !== undefined);
  return runs.length > 0 || namesProgram(script) ? inShell({ ...place, text: script, runs }) : [];
}

/** The ids of all rules, those with findings in the file first. */
function ruleItems(report: FileReport, session: Session, range: Range): CompletionItem[] {
  const here = new Map(report.findings.map(({ rule, message }) => [rule, message]));
  const items = plainItems(
    session
      .linter()
      .ruleIds()
      .map((label) => ({ label })),
    CompletionItemKind.Reference,
    range,
  );
  return items.map((item) => {
    const message = here.get(item.label);
    return message === undefined
      ? { ...item, data: { rule: item.label } }
      : { ...item, sortText: ` ${item.label}`, detail: 'found in this file', documentation: message };
  });
}

function inComment({ before, report, session, range }: Place): CompletionItem[] | undefined {
  const comment = /#\s*oomlint-disable(?:-next-line|-line|-file)?\s+(?:[^\s,]+[\s,]+)*([^\s,]*)$/.exec(
    before,
  );
  if (comment !== null && !before.includes(' -- '))
    return ruleItems(report, session, range(comment[1]?.length ?? 0));
  const directive = /#\s*((?:oo[\w-]*)?)$/.exec(before);
  // Nothing is completed in a comment, even after dashes.
  if (directive === null) return /^\s*#/.test(before) ? [] : undefined;
  const words = ['oomlint-disable-next-line', 'oomlint-disable-line', 'oomlint-disable-file'];
  return plainItems(
    words.map((label) => ({ label, suffix: ' ' })),
    CompletionItemKind.Keyword,
    range(directive[1]?.length ?? 0),
  );
}

/** Whether an option can be set by its dotted name: it belongs to a group, or there is no other way. */
function isOverride({ name, flags }: OptionFact, options: ReadonlyMap<string, OptionFact>): boolean {
  const dot = name.indexOf('.');
  return dot > 0 && (flags === undefined || options.get(name.slice(0, dot))?.type === 'group');
}

/** Options offered while no launch is known, so that flags can only be guessed. */
function usualOptions(session: Session): Offered[] {
  return usualOfFlags.flatMap((set) =>
    [...session.options(set).values()].map((option): Offered => ({ set, option })),
  );
}

function inShell(place: Place): CompletionItem[] {
  const { text, before, session, range } = place;
  const variables = environmentItems(before, text, session.platform.environment, range);
  if (variables !== undefined) return variables;
  const runs = launchesAt(text, place.offset, place.runs, place.path);
  if (runs === undefined) return [];
  const word = /(?:^|[\s("'])((?:--?|\+{0,2}|~)?[\w.-]*)$/.exec(before)?.[1] ?? '';
  const [run] = runs;
  const options = run === undefined ? usualOptions(session) : optionsOfRun(run, session);
  const given = givenNames({ ...place, runs });
  const assigned = /(?:^|[\s"'])[+~]{0,2}([\w.]+)=["']?([\w.:+|-]*)$/.exec(before);
  if (assigned?.[1] !== undefined && !word.startsWith('-')) {
    const [, name, value = ''] = assigned;
    const option = options.find((one) => one.option.name === name);
    return allocationItems(name, value, range) ?? valueItems(option, range(value.length), session);
  }
  const flagged = /(--[\w-]+)(?:\s+|=)["']?([\w.-]*)$/.exec(before);
  if (flagged !== null && !word.startsWith('-')) {
    const option = options.find((one) => one.option.flags?.includes(flagged[1] ?? '') === true);
    const values = valueItems(option, range(flagged[2]?.length ?? 0), session);
    if (values.length > 0 && option?.option.action === undefined) return values;
  }
  const missing = missingNames(place, given);
  if (word.startsWith('-'))
    return (
      launcherItems(runs, { path: place.path, offset: place.offset, word }, range(word.length)) ??
      options
        .filter(({ option }) => !given.has(option.name) && option.removed === undefined)
        .flatMap((one) =>
          (one.option.flags ?? [])
            .slice(0, 1)
            .map((flag) => ranked(itemOf(flag, one, range(word.length), ''), flag, missing)),
        )
    );
  const dotted = /^([+~]{0,2})([a-z]\w*(?:\.\w*)*)$/.exec(word);
  const typed = dotted?.[2];
  if (run === undefined || typed === undefined) return [];
  return options
    .filter(
      ({ set, option }) =>
        option.type !== 'group' &&
        option.name.startsWith(typed) &&
        isOverride(option, session.options(set)) &&
        !given.has(option.name),
    )
    .map((one) => ranked(itemOf(one.option.name, one, range(typed.length), '='), one.option.name, missing));
}

/** How many characters after the cursor are searched for the end of a key. */
const longestKey = 200;

function inYaml(place: Place): CompletionItem[] {
  const { text, offset, runs, session, range } = place;
  const at = yamlPathAt(text, offset);
  const [run] = runs;
  if (at === undefined || run === undefined) return [];
  const variables = yamlEnvironmentItems(at, session.platform.environment, range);
  if (variables !== undefined) return variables;
  const options = optionsOfRun(run, session);
  const prefix = at.parents.length === 0 ? '' : `${at.parents.join('.')}.`;
  if (at.key !== undefined) {
    const reference = /\$\{([\w.]*)$/.exec(place.before)?.[1];
    if (reference !== undefined)
      return referenceItems(place, options, { typed: reference, own: `${prefix}${at.key}` });
    const name = `${prefix}${at.key}`;
    const allocation = run.framework === 'areal' ? allocationItems(name, at.word, range) : undefined;
    return (
      allocation ??
      valueItems(
        options.find(({ option }) => option.name === name),
        range(at.word.length),
        session,
      )
    );
  }
  // A key that already has its colon is replaced as a whole.
  const rest = /^[\w.-]*(?=[ \t]*:(?:\s|$))/.exec(text.slice(offset, offset + longestKey))?.[0];
  const here = range(at.word.length, rest?.length ?? 0);
  const colon = rest === undefined ? ':' : '';
  const seen = new Set<string>();
  const missing = missingNames(place, givenNames(place));
  const groupsMissing = new Set([...missing].flatMap(groupsOf));
  return options.flatMap((one) => {
    if (!one.option.name.startsWith(prefix)) return [];
    const [key, ...below] = one.option.name.slice(prefix.length).split('.');
    if (key === undefined || key === '' || at.siblings.includes(key) || seen.has(key)) return [];
    seen.add(key);
    const isGroup = below.length > 0 || one.option.type === 'group';
    const item: CompletionItem = isGroup
      ? { label: key, kind: CompletionItemKind.Module, textEdit: { range: here, newText: `${key}${colon}` } }
      : itemOf(key, one, here, colon === '' ? '' : ': ');
    return [ranked(item, `${prefix}${key}`, isGroup ? groupsMissing : missing)];
  });
}

/** The settings that a reference may point to (`${actor.path}`), those that are set first. */
function referenceItems(
  place: Place,
  options: readonly Offered[],
  { typed, own }: { readonly typed: string; readonly own: string },
): CompletionItem[] {
  const given = givenNames(place);
  const range = place.range(typed.length);
  const end = place.text.startsWith('}', place.offset) ? '' : '}';
  return options
    .filter(({ option }) => option.type !== 'group' && option.name !== own && option.name.startsWith(typed))
    .map((one) => ranked(itemOf(one.option.name, one, range, end), one.option.name, given));
}

/** The groups that contain a setting: `a` and `a.b` for `a.b.c`. */
function groupsOf(name: string): string[] {
  const parts = name.split('.');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('.'));
}

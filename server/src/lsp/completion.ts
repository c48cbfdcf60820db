import {
  type CompletionItem,
  CompletionItemKind,
  CompletionItemTag,
  type CompletionParams,
  MarkupKind,
  type Range,
} from 'vscode-languageserver';
import { show } from '../expression/message.ts';
import type { FrameworkId, Run } from '../frameworks/framework.ts';
import type { OptionFact } from '../frameworks/knowledge.ts';
import { kindOf } from '../recognise.ts';
import { allocatorKeys, allocatorVariables, environmentNames } from './environment.ts';
import { code, escapeMarkdown } from './markdown.ts';
import type { Session } from './session.ts';
import { yamlPathAt } from './yamlPath.ts';

/** The options that may be written in a run: its own and those of the frameworks that it builds on. */
function optionsOfRun(run: Run, session: Session): OptionFact[] {
  const sets = new Set<FrameworkId>([run.framework, ...run.scopes.map((scope) => scope.set)]);
  return [...sets].flatMap((set) => [...session.options(set).values()]);
}

function documentation(option: OptionFact): string {
  const lines = option.describe === undefined ? [] : [option.describe];
  if (option.defaultUnknown !== true) lines.push(`Default: ${code(show(option.default))}`);
  if (option.choices !== undefined)
    lines.push(`One of ${option.choices.map((choice) => code(String(choice))).join(', ')}`);
  lines.push(`_${escapeMarkdown(option.source)}_`);
  return lines.join('\n\n');
}

function itemOf(label: string, option: OptionFact, range: Range, suffix: string): CompletionItem {
  return {
    label,
    kind: CompletionItemKind.Property,
    detail: option.type,
    documentation: { kind: MarkupKind.Markdown, value: documentation(option) },
    textEdit: { range, newText: `${label}${suffix}` },
    filterText: label,
    ...(option.deprecated === true ? { tags: [CompletionItemTag.Deprecated] } : {}),
  };
}

function valueItems(option: OptionFact | undefined, range: Range): CompletionItem[] {
  if (option === undefined) return [];
  const values = option.choices?.map(String) ?? (option.type === 'bool' ? ['true', 'false'] : []);
  return values.map((label) => ({
    label,
    kind: CompletionItemKind.EnumMember,
    textEdit: { range, newText: label },
  }));
}

/** Completions at a position: suppression comments, environment and allocator settings, flags, overrides and keys with their values. */
export function completion(params: CompletionParams, session: Session): CompletionItem[] {
  const uri = params.textDocument.uri;
  const report = session.lint(uri)?.report;
  if (report === undefined) return [];
  const path = session.uris.pathOf(uri);
  const view = session.view(path);
  const offset = view.offset(params.position);
  const lineStart = view.offset({ line: params.position.line, character: 0 });
  const before = view.text.slice(lineStart, offset);
  const rangeFrom = (start: number): Range => view.range({ start, end: offset });

  const comment = /#\s*oomlint-disable(?:-next-line|-line|-file)?\s+(?:[^\s,]+[\s,]+)*([^\s,]*)$/.exec(
    before,
  );
  if (comment !== null) {
    const range = rangeFrom(offset - (comment[1]?.length ?? 0));
    return session
      .linter()
      .ruleIds()
      .map((label) => ({ label, kind: CompletionItemKind.Reference, textEdit: { range, newText: label } }));
  }
  const allocator = new RegExp(
    `(?:${allocatorVariables.join('|')})\\s*[=:]\\s*["']?(?:[^,"']*,)*([\\w]*)$`,
  ).exec(before);
  if (allocator !== null) {
    const range = rangeFrom(offset - (allocator[1]?.length ?? 0));
    return allocatorKeys.map(({ key, text }) => ({
      label: key,
      kind: CompletionItemKind.Value,
      documentation: text,
      textEdit: { range, newText: `${key}:` },
    }));
  }
  if (kindOf(path, view.text) === 'yaml')
    return inYaml(path, view.text, offset, rangeFrom, report.runs, session);
  const exported = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)$/.exec(before);
  if (exported?.[1] !== undefined) {
    const range = rangeFrom(offset - exported[1].length);
    return environmentNames.map(({ name, text }) => ({
      label: name,
      kind: CompletionItemKind.Variable,
      documentation: text,
      textEdit: { range, newText: `${name}=` },
    }));
  }
  return inShell(before, offset, rangeFrom, report.runs, session);
}

function inShell(
  before: string,
  offset: number,
  rangeFrom: (start: number) => Range,
  runs: readonly Run[],
  session: Session,
): CompletionItem[] {
  const word = /(?:^|[\s("'])((?:--?|\+{0,2}|~)?[\w.-]*)$/.exec(before)?.[1] ?? '';
  const run = runs[0];
  // Without a launch yet, a flag that begins with `--` can only be Megatron-LM's or slime's.
  const options =
    run === undefined ? [...session.options('megatron-lm').values()] : optionsOfRun(run, session);
  const given = new Set(runs.flatMap(({ settings }) => settings.map(({ name }) => name)));
  const assigned = /(?:^|[\s"'])[+~]{0,2}([\w.]+)=["']?([\w.-]*)$/.exec(before);
  if (assigned !== null) {
    const option = options.find(({ name }) => name === assigned[1]);
    return valueItems(option, rangeFrom(offset - (assigned[2]?.length ?? 0)));
  }
  const flagged = /(--[\w-]+)(?:\s+|=)["']?([\w.-]*)$/.exec(before);
  if (flagged !== null && !word.startsWith('-')) {
    const option = options.find(({ flags }) => flags?.includes(flagged[1] ?? '') === true);
    const values = valueItems(option, rangeFrom(offset - (flagged[2]?.length ?? 0)));
    if (values.length > 0) return values;
  }
  const range = rangeFrom(offset - word.length);
  if (word.startsWith('-'))
    return options
      .filter(({ name }) => !given.has(name))
      .flatMap((option) => (option.flags ?? []).slice(0, 1).map((flag) => itemOf(flag, option, range, '')));
  if (!/^[+~]{0,2}[a-z]\w*(\.\w*)*$/.test(word)) return [];
  const dotted = options.filter(
    ({ flags, name, type }) => (flags ?? []).length === 0 && name.includes('.') && type !== 'group',
  );
  return dotted
    .filter(({ name }) => !given.has(name))
    .map((option) => itemOf(option.name, option, range, '='));
}

function inYaml(
  path: string,
  text: string,
  offset: number,
  rangeFrom: (start: number) => Range,
  runs: readonly Run[],
  session: Session,
): CompletionItem[] {
  const at = yamlPathAt(text, offset);
  const run = runs[0];
  if (at === undefined || run === undefined || path === '') return [];
  const options = optionsOfRun(run, session);
  const range = rangeFrom(offset - at.word.length);
  const prefix = at.parents.length === 0 ? '' : `${at.parents.join('.')}.`;
  if (at.key !== undefined)
    return valueItems(
      options.find(({ name }) => name === `${prefix}${at.key ?? ''}`),
      range,
    );
  const seen = new Set<string>();
  return options.flatMap((option) => {
    if (!option.name.startsWith(prefix)) return [];
    const [key, ...rest] = option.name.slice(prefix.length).split('.');
    if (key === undefined || key === '' || at.siblings.includes(key) || seen.has(key)) return [];
    seen.add(key);
    return [itemOf(key, rest.length === 0 ? option : { ...option, type: 'group' }, range, ': ')];
  });
}

import type { Hover, HoverParams } from 'vscode-languageserver';
import { resultOf } from '../expression/evaluate.ts';
import { UNKNOWN } from '../expression/result.ts';
import type { EnvironmentFacts } from '../frameworks/environment.ts';
import { allocatorSettings, allocatorVariables } from '../frameworks/facts.ts';
import type { Effective, Run } from '../frameworks/framework.ts';
import type { OptionFact } from '../frameworks/knowledge.ts';
import type { FileReport } from '../linter.ts';
import { titleOf } from '../report/summary.ts';
import { type Place, samePlace } from '../text/span.ts';
import { display, textOf, type Word } from '../value/word.ts';
import { bytesText, describeRun, unknownText, valueText } from './describe.ts';
import { type LocatedSetting, runsAt, settingAt } from './locate.ts';
import { code, escapeMarkdown } from './markdown.ts';
import { touches } from './positions.ts';
import type { Session } from './session.ts';

/** What stands at a position: an option, a variable, an environment variable, or the launch. */
export function hover(params: HoverParams, session: Session): Hover | null {
  const uri = params.textDocument.uri;
  const report = session.lint(uri)?.report;
  if (report === undefined) return null;
  const path = session.uris.pathOf(uri);
  const { environment } = session.platform;
  const view = session.view(path);
  const offset = view.offset(params.position);
  const answer = (place: Place, lines: readonly string[]): Hover => ({
    contents: { kind: 'markdown', value: lines.join('\n\n') },
    range: view.range(place.span),
  });
  const setting = settingAt(report, path, offset, session);
  if (setting !== undefined) return answer(setting.place, aboutSetting(setting, path, session));
  const reference = report.references.find(({ place }) => touches(place, path, offset));
  if (reference !== undefined) {
    const { name, word } = reference;
    const value = word === undefined ? wordsBehind(reference.place, report) : wordText(word);
    const assigned = reference.assignments.map((at) => where(at, path, session)).join(', ');
    return answer(reference.place, [
      `**${escapeMarkdown(name)}** = ${value}`,
      ...(assigned === '' ? [] : [`assigned at ${assigned}`]),
      ...aboutEnvironment(name, word === undefined ? undefined : textOf(word), environment),
    ]);
  }
  for (const run of report.runs)
    for (const [name, { value, place }] of run.env)
      if (touches(place, path, offset)) {
        const shown = value.kind === 'known' ? valueText(value.data) : unknownText(value.label, value.reason);
        const text = value.kind === 'known' && typeof value.data === 'string' ? value.data : undefined;
        return answer(place, [
          `**${escapeMarkdown(name)}** = ${shown}`,
          ...aboutEnvironment(name, text, environment),
        ]);
      }
  const run = runsAt(report, path, offset)[0];
  if (run === undefined) return null;
  return answer(run.place, aboutRun(run));
}

/** The text of a word; one that is nothing but unknown says why. */
function wordText(word: Word): string {
  const [only, ...others] = word.pieces;
  if (only?.kind === 'hole' && others.length === 0) return unknownText(only.label, only.reason);
  return code(display(word));
}

/** The words that an expansion comes to in a launch. */
function wordsBehind(place: Place, report: FileReport): string {
  for (const { command } of report.launches) {
    const words = command.words.filter((word) =>
      word.pieces.some(({ origin }) => origin.via.some((through) => samePlace(through, place))),
    );
    if (words.length > 0)
      return `${words.length} word${words.length === 1 ? '' : 's'}: ${code(words.map(display).join(' '))}`;
  }
  return 'not known here';
}

/** What an environment variable does to the job, each piece of an allocator string, and where that is written. */
function aboutEnvironment(name: string, text: string | undefined, facts: EnvironmentFacts): string[] {
  const known = facts.variables.find((one) => one.name === name);
  if (known === undefined) return [];
  const source = `_[${escapeMarkdown(new URL(known.source).hostname)}](${known.source})_`;
  if (text === undefined || !allocatorVariables.some((one) => one === name)) return [known.describe, source];
  const pieces = [...allocatorSettings(text)].map(([key, set]) => {
    const about = facts.allocator.find((one) => one.key === key);
    return `- ${code(`${key}:${set}`)} – ${about === undefined ? 'not known here' : about.describe}`;
  });
  return [known.describe, pieces.join('\n'), source];
}

/** A link to the line of upstream's source that an option comes from, at the commit that the facts were taken at. */
function upstream(run: Run, option: OptionFact, session: Session): string {
  const sets = [...new Set([run.framework, ...run.scopes.map(({ set }) => set)])];
  const set = sets.find((one) => session.options(one).get(option.name) === option) ?? run.framework;
  const { repository, commit } = session.platform.knowledgeOf(set);
  const place = /^([\w./-]+):(\d+)$/.exec(option.source);
  const text = escapeMarkdown(option.source);
  const linked =
    place === null
      ? text
      : `[${text}](https://github.com/${repository}/blob/${commit}/${place[1]}#L${place[2]})`;
  return `_${titleOf(set)} ${commit.slice(0, 8)}: ${linked}_`;
}

function aboutRun(run: Run): string[] {
  const lines = [`**${describeRun(run)}**`, `Recognised: ${escapeMarkdown(run.because)}.`];
  for (const { text } of run.launch?.assumptions ?? []) lines.push(`Assuming that ${escapeMarkdown(text)}.`);
  if (run.open) lines.push('More settings may follow that the text does not show.');
  return lines;
}

function where(place: Place, path: string, session: Session): string {
  const line = session.view(place.path).position(place.span.start).line + 1;
  const name =
    place.path === path ? `line ${line}` : `${place.path.slice(place.path.lastIndexOf('/') + 1)}:${line}`;
  const uri = session.uris.uriOf(place.path).replaceAll('(', '%28').replaceAll(')', '%29');
  return `[${escapeMarkdown(name)}](${uri}#L${line})`;
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

function aboutSetting(located: LocatedSetting, path: string, session: Session): string[] {
  const { setting, option, effective, run } = located;
  const lines = [
    `**${escapeMarkdown(setting.written)}**${option === undefined ? '' : ` · ${typeText(option)}`}`,
  ];
  if (option?.describe !== undefined) lines.push(option.describe);
  if (option !== undefined && option.defaultUnknown !== true)
    lines.push(`Default: ${valueText(option.default)}`);
  if (effective !== undefined) {
    const because = effective.because === undefined ? '' : ` – ${escapeMarkdown(effective.because)}`;
    const how = effective.how === 'given' ? 'In force' : `In force (${effective.how})`;
    lines.push(`${how}: ${inForce(effective, option?.unit)}${because}`);
  }
  const chain =
    setting.origin === undefined ? [] : [setting.origin.place, ...[...setting.origin.via].reverse()];
  const places = chain.map((place) => where(place, path, session));
  if (places.length > 1)
    lines.push(`From ${places.filter((text, at) => text !== places[at - 1]).join(' → ')}`);
  if (option?.deprecated === true) lines.push('_Deprecated._');
  if (option !== undefined) lines.push(upstream(run, option, session));
  return lines;
}

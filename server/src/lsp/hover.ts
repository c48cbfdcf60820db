import type { Hover, HoverParams } from 'vscode-languageserver';
import { resultOf } from '../expression/evaluate.ts';
import { show } from '../expression/message.ts';
import { UNKNOWN } from '../expression/result.ts';
import type { Effective, Run } from '../frameworks/framework.ts';
import type { OptionFact } from '../frameworks/knowledge.ts';
import { titleOf } from '../report/summary.ts';
import type { Place } from '../text/span.ts';
import { display } from '../value/word.ts';
import { bytesText, describeRun } from './describe.ts';
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
    const value = reference.word === undefined ? 'unknown or several words' : code(display(reference.word));
    const assigned = reference.assignments.map((place) => where(place, path, session)).join(', ');
    return answer(reference.place, [
      `**${escapeMarkdown(reference.name)}** = ${value}`,
      ...(assigned === '' ? [] : [`assigned at ${assigned}`]),
    ]);
  }
  for (const run of report.runs)
    for (const [name, { value, place }] of run.env)
      if (touches(place, path, offset))
        return answer(place, [
          `**${escapeMarkdown(name)}** = ${value.kind === 'known' ? code(show(value.data)) : `unknown (${escapeMarkdown(value.label)})`}`,
          'environment of the launch',
        ]);
  const run = runsAt(report, path, offset)[0];
  if (run === undefined) return null;
  return answer(run.place, aboutRun(run));
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
  return `[${escapeMarkdown(name)}](${session.uris.uriOf(place.path)}#L${line})`;
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
      ? `unknown: ${escapeMarkdown(effective.value.label)}`
      : 'unknown';
  const bytes = unit === 'bytes' && typeof value === 'number' ? bytesText(value) : undefined;
  return `${code(show(value))}${bytes === undefined ? '' : ` = ${bytes}`}`;
}

function aboutSetting(located: LocatedSetting, path: string, session: Session): string[] {
  const { setting, option, effective, run } = located;
  const lines = [
    `**${escapeMarkdown(setting.written)}**${option === undefined ? '' : ` · ${typeText(option)}`}`,
  ];
  if (option?.describe !== undefined) lines.push(option.describe);
  if (option !== undefined && option.defaultUnknown !== true)
    lines.push(`Default: ${code(show(option.default))}`);
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
  if (option !== undefined) lines.push(`_${titleOf(run.framework)}: ${escapeMarkdown(option.source)}_`);
  return lines;
}

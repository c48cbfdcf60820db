import { type InlayHint, InlayHintKind, type Range } from 'vscode-languageserver-types';
import { resultOf } from '../../expression/evaluate.ts';
import { display, holeOf } from '../../value/word.ts';
import type { Session } from '../session.ts';
import { sequencesIn } from './budgets.ts';
import { bytesText, describeRun } from './describe.ts';
import { placesInLaunches } from './launchPlaces.ts';
import { optionOf } from './locate.ts';

/** Longest value that is shown behind a variable. */
const longest = 40;

/**
 * What a reader would otherwise look up: the value behind `$VAR` in launch words, bytes for large numbers, the size of
 * data parallelism behind the command.
 */
export function inlayHints(uri: string, range: Range, session: Session): InlayHint[] {
  const report = session.lint(uri)?.report;
  if (report === undefined || report.runs.length === 0) return [];
  const path = session.uris.pathOf(uri);
  const view = session.view(path);
  const from = view.offset(range.start);
  const to = view.offset(range.end);
  const hints = new Map<string, InlayHint>();
  const put = (offset: number, label: string, tooltip: string): void => {
    if (offset < from || offset > to) return;
    hints.set(`${offset}:${label}`, {
      position: view.position(offset),
      label,
      tooltip,
      kind: InlayHintKind.Type,
      paddingLeft: true,
    });
  };
  // A variable that has several values on the paths through the script gets no hint.
  const values = new Map<number, Set<string>>();
  const used = placesInLaunches(report, path);
  for (const reference of report.references) {
    if (reference.kind !== 'expansion' || reference.place.path !== path) continue;
    const { start, end } = reference.place.span;
    if (!used.has(`${start}:${end}`)) continue;
    // Within a longer text (`tp${TP}_pp${PP}`) hints would tear it apart.
    if (!/[\s"'=(:,]/.test(view.text[start - 1] ?? ' ') || !/[\s"'),;]/.test(view.text[end] ?? ' ')) continue;
    const isQuoted = view.text[end] === '"' && view.text[start - 1] === '"';
    const behind = isQuoted ? end + 1 : end;
    const text =
      reference.word === undefined || holeOf(reference.word) !== undefined ? '' : display(reference.word);
    const known = values.get(behind) ?? new Set<string>();
    known.add(text);
    values.set(behind, known);
  }
  for (const [offset, texts] of values) {
    const [text] = texts;
    if (
      texts.size === 1 &&
      text !== undefined &&
      text !== '' &&
      text.length <= longest &&
      !text.includes('\n')
    )
      put(offset, `= ${text}`, 'value of the variable in this launch');
  }
  for (const run of report.runs) {
    for (const setting of run.settings) {
      if (setting.valuePlace?.path !== path) continue;
      const value = resultOf(setting.value);
      if (typeof value !== 'number') continue;
      const bytes = optionOf(run, setting, session)?.unit === 'bytes' ? bytesText(value) : undefined;
      if (bytes !== undefined) put(setting.valuePlace.span.end, `= ${bytes}`, 'bytes');
      const sequences = sequencesIn(run, setting.name, value);
      if (sequences !== undefined)
        put(
          setting.valuePlace.span.end,
          `= ${sequences}`,
          'how many of the longest sequences fit the budget',
        );
    }
    // The lens over the launch says the same.
    if (!session.settings.of(uri).codeLens && run.place.path === path && run.launch !== undefined) {
      const line = view.position(run.place.span.start).line;
      const end = view.text.indexOf('\n', run.place.span.start);
      if (line >= range.start.line) put(end === -1 ? view.text.length : end, describeRun(run), run.because);
    }
  }
  return [...hints.values()];
}

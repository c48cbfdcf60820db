import { type InlayHint, InlayHintKind, type Range } from 'vscode-languageserver-types';
import { resultOf } from '../../expression/evaluate.ts';
import type { Run } from '../../frameworks/framework.ts';
import type { FileReport } from '../../linter.ts';
import { display, holeOf } from '../../value/word.ts';
import type { Session } from '../session.ts';
import { sequencesIn } from './budgets.ts';
import { bytesText, describeRun } from './describe.ts';
import { placesInLaunches } from './launchPlaces.ts';
import { optionOf } from './locate.ts';

/** Longest value that is shown after a variable. */
const longest = 40;

/** A hint before its offset is converted to an editor position. */
interface Hint {
  readonly offset: number;
  readonly label: string;
  readonly tooltip: string;
}

/**
 * What a reader would otherwise look up: the value after `$VAR` in launch words, bytes for large numbers, the data parallel size after the
 * command.
 */
export function inlayHints(uri: string, range: Range, session: Session): InlayHint[] {
  const report = session.lint(uri)?.report;
  if (report === undefined || report.runs.length === 0) return [];
  const path = session.uris.pathOf(uri);
  const view = session.view(path);
  const from = view.offset(range.start);
  const to = view.offset(range.end);
  // The lens above the launch also says what would start.
  const hasLens = session.settings.of(uri).codeLens;
  const hints = [
    ...variableHints(report, path, view.text),
    ...report.runs.flatMap((run) => [
      ...settingHints(run, path, session),
      ...(hasLens ? [] : launchHints(run, path, view.text)),
    ]),
  ].filter(({ offset }) => from <= offset && offset <= to);
  const distinct = new Map(hints.map((hint) => [`${hint.offset}:${hint.label}`, hint]));
  return [...distinct.values()].map(({ offset, label, tooltip }) => ({
    position: view.position(offset),
    label,
    tooltip,
    kind: InlayHintKind.Type,
    paddingLeft: true,
  }));
}

/** The values of variables, after them. A variable with several values on different paths through the script gets no hint. */
function variableHints(report: FileReport, path: string, text: string): Hint[] {
  const values = new Map<number, Set<string>>();
  const used = placesInLaunches(report, path);
  for (const { kind, place, word } of report.references) {
    if (kind !== 'expansion' || place.path !== path) continue;
    const { start, end } = place.span;
    if (!used.has(`${start}:${end}`)) continue;
    // In a longer text (`tp${TP}_pp${PP}`) hints would tear it apart.
    if (!/[\s"'=(:,]/.test(text[start - 1] ?? ' ') || !/[\s"'),;]/.test(text[end] ?? ' ')) continue;
    const isQuoted = text[end] === '"' && text[start - 1] === '"';
    const behind = isQuoted ? end + 1 : end;
    const value = word === undefined || holeOf(word) !== undefined ? '' : display(word);
    values.set(behind, (values.get(behind) ?? new Set()).add(value));
  }
  return [...values].flatMap(([offset, several]) => {
    const [value = ''] = several;
    const isShown = several.size === 1 && value !== '' && value.length <= longest && !value.includes('\n');
    return isShown ? [{ offset, label: `= ${value}`, tooltip: 'value of the variable in this launch' }] : [];
  });
}

/** What large numbers mean: bytes in a readable unit, how many sequences fit into a budget. */
function settingHints(run: Run, path: string, session: Session): Hint[] {
  return run.settings.flatMap((setting) => {
    const value = resultOf(setting.value);
    if (setting.valuePlace?.path !== path || typeof value !== 'number') return [];
    const offset = setting.valuePlace.span.end;
    const bytes = optionOf(run, setting, session)?.unit === 'bytes' ? bytesText(value) : undefined;
    const sequences = sequencesIn(run, setting.name, value);
    return [
      ...(bytes === undefined ? [] : [{ offset, label: `= ${bytes}`, tooltip: 'bytes' }]),
      ...(sequences === undefined
        ? []
        : [
            {
              offset,
              label: `= ${sequences}`,
              tooltip: 'how many of the longest sequences fit the budget',
            },
          ]),
    ];
  });
}

/** What would start, after the first line of a launch. */
function launchHints(run: Run, path: string, text: string): Hint[] {
  if (run.place.path !== path || run.launch === undefined) return [];
  const end = text.indexOf('\n', run.place.span.start);
  return [{ offset: end === -1 ? text.length : end, label: describeRun(run), tooltip: run.because }];
}

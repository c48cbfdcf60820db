import { titleOf } from '../frameworks/framework.ts';
import type { FileReport } from '../linter.ts';
import { wrap } from './clean.ts';
import { type FrameOptions, Frames } from './frame.ts';
import { noColours, type Palette } from './palette.ts';
import { type Summary, summarise } from './summary.ts';

/** The options of the text report. */
export interface TextReportOptions extends FrameOptions {
  /** The command supports --statistics, but it was not given. */
  readonly offersStatistics?: boolean;
  /** Of repeated advice only the first ones are shown, with a count of the rest; the command supports --only, but it was not given. */
  readonly foldsAdvice?: boolean;
  /** The fixes that have been applied if they help without introducing something new. */
  readonly applied?: 'none' | 'safe' | 'suggested';
}

/** How many times the same advice is shown in a report of several files. */
const mostAdvice = 10;

/** The report for people: a code frame per finding, then what was recognised and the counts. */
export function textReport(reports: readonly FileReport[], options: TextReportOptions): string {
  const out: string[] = [];
  const frames = new Frames(options);
  const advice = new Map<string, number>();
  const folds = options.foldsAdvice === true && reports.length > 1;
  for (const { findings } of reports)
    for (const finding of findings) {
      if (folds && finding.severity === 'info') {
        const count = (advice.get(finding.rule) ?? 0) + 1;
        advice.set(finding.rule, count);
        if (count > mostAdvice) continue;
      }
      for (const line of frames.show(finding)) out.push(line);
      out.push('');
    }
  return `${[...out, ...foldedLines(advice, options), ...summaryLines(reports, options)].join('\n')}\n`;
}

/** The lines about advice that is not shown every time; empty if all is shown. */
function foldedLines(advice: ReadonlyMap<string, number>, { palette, width }: TextReportOptions): string[] {
  const folded = [...advice].filter(([, count]) => count > mostAdvice).sort((a, b) => b[1] - a[1]);
  if (folded.length === 0) return [];
  const more = folded.map(([rule, count]) => `${count - mostAdvice} of ${rule}`).join(', ');
  return [...wrap(`Not shown: ${more}; --only RULE shows all of one.`, width).map(palette.dim), ''];
}

function summaryLines(reports: readonly FileReport[], options: TextReportOptions): string[] {
  const { palette, width } = options;
  const summary = summarise(reports);
  const out: string[] = [];
  const say = (text: string): void => {
    out.push(...wrap(text, width));
  };
  if (summary.files === 0) say('There are no files to check.');
  else if (summary.recognised === 0) {
    const found = Object.values(summary.counts).some((count) => count > 0);
    const what = found
      ? 'nothing of a known framework would start from'
      : 'no launch or configuration of a known framework in';
    say(`Looked at ${plural(summary.files, 'file')}: ${what} ${summary.files === 1 ? 'it' : 'them'}.`);
  } else {
    const kinds = [...summary.frameworks].map(([id, count]) => `${titleOf(id)} ${count}`).join(', ');
    say(
      `Looked at ${plural(summary.files, 'file')}; ${summary.recognised === summary.files ? 'all' : summary.recognised} recognised (launches and configurations: ${kinds}).`,
    );
  }
  const { error, warning, info } = summary.counts;
  if (error + warning + info === 0) {
    if (summary.recognised > 0) out.push(palette.green('Nothing to report.'));
  } else {
    out.push(...countLines(summary, options));
  }
  if (summary.suppressed > 0)
    out.push(palette.dim(`${plural(summary.suppressed, 'finding')} suppressed by comments.`));
  if (error + warning + info > 0)
    for (const hint of [
      frequent(reports, options.offersStatistics === true),
      '`oomlint explain RULE` explains a rule.',
    ])
      out.push(...wrap(hint, width).map(palette.dim));
  return out;
}

/** How many findings there are and how many can be fixed: on one line if it fits. */
function countLines(
  { counts, fixable, plannedAll }: Summary,
  { palette, width, applied = 'none' }: TextReportOptions,
): string[] {
  const { error, warning, info } = counts;
  const found = ({ red, yellow, blue }: Palette): string =>
    [
      error > 0 ? red(plural(error, 'error')) : '',
      warning > 0 ? yellow(plural(warning, 'warning')) : '',
      info > 0 ? blue(`${info} info`) : '',
    ]
      .filter((part) => part !== '')
      .join(', ');
  const left = (applied === 'none' ? 0 : fixable.safe) + (applied === 'suggested' ? fixable.suggested : 0);
  const fixes = [
    { count: applied === 'none' ? fixable.safe : 0, how: 'fixable with --fix' },
    { count: applied === 'suggested' ? 0 : fixable.suggested, how: 'fixable with --fix-suggested' },
    { count: left, how: `whose ${left === 1 ? 'fix' : 'fixes'} would cause new findings` },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, how }, at) => `${count} ${at === 0 ? how : how.replace('fixable', 'more')}`);
  if (fixes.length === 0) return [`${found(palette)}.`];
  const mended = `${plannedAll ? '' : 'at least '}${fixes.join(', ')}.`;
  return found(noColours).length + 2 + mended.length <= width
    ? [`${found(palette)}; ${mended}`]
    : [`${found(palette)};`, mended];
}

/** Number of findings of one rule from which on the summary names the rules that fired most. */
const often = 10;
const mostFrequent = 3;

/** The rules behind most of a long report, so that nobody has to count the same sentence; empty for a short one. */
function frequent(reports: readonly FileReport[], offersStatistics: boolean): string {
  const rules = new Map<string, number>();
  for (const { findings } of reports)
    for (const { rule } of findings) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  const named = [...rules]
    .filter(([, count]) => count >= often)
    .sort((a, b) => b[1] - a[1])
    .slice(0, mostFrequent)
    .map(([rule, count]) => `${rule} ${count}`);
  return named.length === 0
    ? ''
    : `Most often: ${named.join(', ')}${offersStatistics ? '; --statistics counts every rule' : ''}.`;
}

/** A count with its noun: `1 file`, `2 files`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

import { directiveLines, endOfHead } from '../../bash/programs/batchDirectives.ts';
import { type ExclusiveOption, exclusiveOptions } from '../../launch/faults/ownOptions.ts';
import { isListed, nearlyListed, type OptionUse, optionsIn } from '../../launch/wrappers/options.ts';
import { isTaken } from '../../launch/wrappers/wrapper.ts';
import { slurmExclusions, slurmForms, slurmJob } from '../../launch/wrappers/wrappers.ts';
import { refusedText } from '../../text/refused.ts';
import type { Place, Span } from '../../text/span.ts';
import { knownPrefix, literalWord, textOf, writtenAt } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';
import { exclusiveFinding } from './exclusiveOptions.ts';

/** The largest bare number that is taken for hours. */
const mostHours = 72;

/**
 * What is wrong in the `#SBATCH` lines of a script.
 *
 * @param path the script
 * @param text its text
 */
export function directiveFindings(path: string, text: string, common: CommonRules): Finding[] {
  if (!/^[ \t]*#SBATCH/im.test(text)) return [];
  const uses = usesIn(path, text);
  return [
    ...withoutShebang(path, text, common),
    ...ignored(path, text, common),
    ...uses.flatMap((use) => valueFindings(use, common)),
    ...uses.flatMap((use) => unknownOption(use, common)),
    ...exclusionsIn(text, uses).flatMap((fault) => exclusiveFinding(fault, () => text, common)),
  ];
}

/** Options in `#SBATCH` lines that exclude each other. The parts of a heterogeneous job have their own options. */
function exclusionsIn(text: string, uses: readonly OptionUse[]): readonly ExclusiveOption[] {
  return /^#SBATCH[ \t]+(?:het|pack)job\b/im.test(text) ? [] : exclusiveOptions(uses, slurmExclusions);
}

function usesIn(path: string, text: string): readonly OptionUse[] {
  return directiveLines(text).flatMap(({ words: written }) => {
    const words = written.map(({ text: word, start, end }) => {
      const place = { path, span: { start, end } };
      const origin = { place, via: [], verbatim: word.length === end - start };
      return literalWord(word, place, origin);
    });
    return optionsIn(words, slurmJob);
  });
}

function withoutShebang(path: string, text: string, common: CommonRules): Finding[] {
  const [first] = directiveLines(text);
  if (first === undefined || text.startsWith('#!')) return [];
  const edits = [{ path, span: { start: 0, end: 0 }, newText: '#!/bin/bash\n' }];
  const place = { path, span: { start: first.start, end: first.end } };
  return commonFinding(
    common,
    'batch-script-without-shebang',
    place,
    {},
    {
      certainty: 'likely',
      fixes: fixOf('Write #!/bin/bash as the first line', edits),
    },
  );
}

/** Lines that look like directives but are not. A line disabled with a second `#`, or with a blank after it, is intentional. */
function ignored(path: string, text: string, common: CommonRules): Finding[] {
  const head = endOfHead(text);
  const found: Finding[] = [];
  const tell = (span: Span, reason: string, fixes: readonly Fix[]): void => {
    found.push(...commonFinding(common, 'ignored-directive', { path, span }, { reason }, { fixes }));
  };
  const behind: Span[] = [];
  for (const { 0: line, 1: blanks = '', 2: mark = '', index } of text.matchAll(
    /^([ \t]*)(#sbatch)[ \t]+--?[A-Za-z][^\n]*/gim,
  )) {
    const start = index + blanks.length;
    const span = { start, end: index + line.trimEnd().length };
    const edit = (end: number, newText: string): Fix['edits'] => [
      { path, span: { start: index, end }, newText },
    ];
    if (index >= head) {
      if (blanks === '' && mark === '#SBATCH') behind.push(span);
    } else if (mark !== '#SBATCH')
      tell(
        span,
        `only #SBATCH in capitals begins a directive, not ${mark}`,
        fixOf('Write #SBATCH', edit(start + mark.length, '#SBATCH')),
      );
    else if (blanks !== '')
      tell(span, 'there is a space before it', fixOf('Remove the space', edit(start, '')));
  }
  const [first, ...others] = behind;
  // A heredoc may be the script of another job.
  if (first === undefined || text.includes('<<')) return found;
  const count =
    others.length === 0 ? '' : `, as ${others.length} more ${others.length === 1 ? 'does' : 'do'}`;
  const reason = `it comes after the first command${count}`;
  tell(first, reason, fixOf('Move it to the head of the script', moved(path, text, behind)));
  return found;
}

/** Lines moved after the last directive that is read, or after the shebang line. */
function moved(path: string, text: string, lines: readonly Span[]): Fix['edits'] {
  const at = directiveLines(text).at(-1)?.end ?? /^#![^\n]*/.exec(text)?.[0].length;
  if (at === undefined) return [];
  const written = lines.map(({ start, end }) => `\n${text.slice(start, end)}`).join('');
  const removed = lines.map(({ start, end }) => {
    const newline = /^\r?\n/.exec(text.slice(end))?.[0].length ?? 0;
    return { path, span: { start, end: end + newline }, newText: '' };
  });
  return [{ path, span: { start: at, end: at }, newText: written }, ...removed];
}

/** A placeholder that a program fills in before the script is submitted: `{nodes}` in Python, `{{ nodes }}` in Jinja. */
const templatePlace = /(?<!\$)\{\{?\s*(?:\w[^{}]*\}|$)/;

/** A file from which a program generates the script: `template.sbatch`, `templates/train.sh`, `job.slurm.tmpl`. */
const templateName = /(?:^|[./_-])(?:templates?|tmpl|tpl)(?:[./_-]|$)/i;

/** Whether a variable in a directive may be filled in before sbatch sees it (`string.Template`, `envsubst`). */
function isFilledIn({ path }: Place, text: string): boolean {
  return /\$\{?[A-Za-z_]/.test(text) && templateName.test(path.split('/').slice(-2).join('/'));
}

function valueFindings({ name, word, value }: OptionUse, common: CommonRules): Finding[] {
  const text = value === undefined ? undefined : textOf(value);
  if (value === undefined || text === undefined || templatePlace.test(text)) return [];
  const place: Place = writtenAt(value);
  if (isFilledIn(place, text)) return [];
  const rule = slurmForms.find(({ options }) => options.includes(name));
  const written = knownPrefix(word).replace(/=.*/s, '');
  const settings = [written];
  if (/\$\{?\w|\$\(/.test(text)) {
    const severity = rule === undefined ? 'warning' : 'error';
    return commonFinding(
      common,
      'variable-in-directive',
      place,
      { name: written, value: text },
      { severity, settings },
    );
  }
  if (rule !== undefined && !isTaken(text, rule)) {
    const { expected } = rule;
    return commonFinding(
      common,
      'invalid-value',
      place,
      { name: written, expected, value: refusedText(text) },
      { settings },
    );
  }
  const isTime = name === '--time' || name === '-t';
  if (!isTime || !/^\d+$/.test(text) || Number(text) === 0 || Number(text) > mostHours) return [];
  const edits = [{ path: place.path, span: place.span, newText: `${text}:00:00` }];
  return commonFinding(
    common,
    'time-in-minutes',
    place,
    { name: written, value: text },
    {
      certainty: 'possible',
      settings,
      fixes: fixOf(`Give ${text} hours`, edits),
    },
  );
}

/** An option that sbatch refuses; plug-ins of a cluster may add more, so only obvious misspellings are reported. */
function unknownOption({ name, word }: OptionUse, common: CommonRules): Finding[] {
  const style = { ...slurmJob, abbreviations: true };
  if (!name.startsWith('--') || isListed(word, style)) return [];
  const meant = nearlyListed(name, slurmJob);
  if (meant === undefined) return [];
  const { path, span } = word.place;
  const place = { path, span: { start: span.start, end: span.start + name.length } };
  return commonFinding(
    common,
    'unknown-option',
    place,
    { name, hint: ` sbatch does not know it. Did you mean ${meant}?` },
    { certainty: 'likely', settings: [name], fixes: fixOf(`Write ${meant}`, [{ ...place, newText: meant }]) },
  );
}

function fixOf(title: string, edits: Fix['edits']): readonly Fix[] {
  return edits.length === 0 ? [] : [suggestedFix(title, edits)];
}

import { isMap } from '../expression/result.ts';
import {
  type BindingProblem,
  type Instead,
  type Run,
  type Setting,
  type Twins,
  titleOf,
} from '../frameworks/framework.ts';
import { isYamlName } from '../text/fileNames.ts';
import { contains, type Place } from '../text/span.ts';
import { textOfData } from '../value/value.ts';
import { commonFinding } from './commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from './finding.ts';
import { isDoubtful } from './launches/doubt.ts';
import { computation, type FixPlanner, type PlannedChange } from './plannedChange.ts';
import type { CommonRules } from './rule.ts';

/** Reads a file's text. */
type Read = (path: string) => string | undefined;

/**
 * Findings on how options are written, noticed during binding.
 *
 * @param read text of a file
 */
export function bindingFindings(run: Run, common: CommonRules, planFix: FixPlanner, read: Read): Finding[] {
  if (run.problems.length === 0) return [];
  const isOtherVersion = run.scopes.some(
    ({ set, ceiling }) => set === run.framework && ceiling !== undefined,
  );
  const byStart = settingsByStart(run.settings);
  return run.problems.flatMap((problem) => {
    const isUnsure = restsOnDoubt(problem, byStart, run);
    const element = elementOf(problem, read);
    const values = { product: titleOf(run.framework), ...problem.values };
    const findings = commonFinding(common, problem.rule, element ?? problem.place, values, {
      severity: isUnsure && problem.severity === 'error' ? 'warning' : problem.severity,
      certainty: isOtherVersion || isUnsure || problem.isUncertain === true ? 'likely' : 'certain',
      framework: run.framework,
      related: problem.related,
      settings: problem.setting === undefined ? nameOf(problem) : [problem.setting.written],
      fixes: problem.isJoined === true ? apart(element ?? problem.place, read) : replacementOf(problem),
      tags: tagsOf(problem.rule),
    });
    const changes = changesOf(problem, isOtherVersion);
    return changes.length === 0
      ? findings
      : findings.map((finding) => withFixes(finding, changes, run, planFix));
  });
}

const base = { unset: [], env: new Map(), cost: undefined, safety: 'suggested' } as const;

/** The changes of settings that resolve a problem, best first. */
function changesOf(problem: BindingProblem, isOtherVersion: boolean): readonly PlannedChange[] {
  if (problem.calculation !== undefined) return [computation(problem.calculation)];
  const change = changeOf(problem, isOtherVersion);
  if (change !== undefined) return [change];
  if (problem.twins !== undefined) return changesOfTwins(problem.twins);
  return problem.instead === undefined || problem.replacement !== undefined ? [] : changesTo(problem.instead);
}

/** Which of two keys to remove: the second if they say the same, otherwise the one that the user does not mean. */
function changesOfTwins({ first, last, isSame }: Twins): readonly PlannedChange[] {
  const without = (setting: Setting, title: string, safety: Fix['safety']): PlannedChange => ({
    ...base,
    title: `${title} ${setting.written}`,
    safety,
    set: new Map(),
    remove: [setting],
  });
  if (isSame) return [without(last, 'Remove the second', 'safe')];
  return [without(first, 'Keep the last', 'example'), without(last, 'Keep the first', 'example')];
}

/** Another choice, which only the user can make, or none, which leaves the default. */
function changesTo({ setting, choices, usual }: Instead): readonly PlannedChange[] {
  const chosen = choices.map((value) => ({
    ...base,
    safety: 'example' as const,
    title: `Use ${textOfData(value)}`,
    set: new Map([[setting.name, value]]),
  }));
  if (usual === undefined) return chosen;
  const text = isMap(usual) ? 'its defaults' : `its default of ${textOfData(usual)}`;
  const title = `Leave ${setting.written} at ${text}`;
  return [...chosen, { ...base, title, set: new Map(), remove: [setting] }];
}

/** The change of settings that resolves a problem, if it is obvious and more than replacing a word in one place. */
function changeOf(
  {
    rule,
    place,
    replacement,
    setting,
    removal,
    successor,
    meant,
    missing,
    splitBy,
    isStated,
  }: BindingProblem,
  isOtherVersion: boolean,
): PlannedChange | undefined {
  if (successor !== undefined && setting !== undefined && isApart(place, replacement))
    return {
      ...base,
      title: `Write ${replacement}`,
      set: new Map([[successor.name, successor.value]]),
      remove: [setting],
      near: [setting.name],
    };
  if (missing !== undefined)
    return {
      ...base,
      title: `Write ${missing.name}: ${missing.value}`,
      set: new Map([[missing.name, missing.value]]),
    };
  if (meant !== undefined && setting !== undefined)
    return {
      ...base,
      title: meant.title,
      set: new Map([[setting.name, meant.value]]),
    };
  if (splitBy !== undefined)
    return { ...base, title: 'Put the array in quotes', set: new Map(), quote: splitBy };
  // Another version may well have what this one lacks.
  if (replacement !== undefined || removal === undefined || (isOtherVersion && isStated !== true))
    return undefined;
  if (successor !== undefined)
    return {
      ...base,
      title: `Write ${successor.name}`,
      set: new Map([[successor.name, successor.value]]),
      remove: [removal],
    };
  const which = rule === 'duplicate-option' ? 'the earlier ' : '';
  return { ...base, title: `Remove ${which}${removal.written}`, set: new Map(), remove: [removal] };
}

/** Whether a flag with its value must be written where the two are not in one text. */
function isApart({ path }: Place, replacement: string | undefined): boolean {
  return isYamlName(path) && replacement?.includes(' ') === true;
}

/** Whether what a problem is about may have been overwritten: at its place, or where the value used there comes from. */
function restsOnDoubt(
  { place, setting }: BindingProblem,
  byStart: ReadonlyMap<number, readonly Setting[]>,
  run: Run,
): boolean {
  const used = byStart.get(place.span.start)?.filter(({ valuePlace }) => valuePlace?.path === place.path);
  return [setting, ...(used ?? [])].some((one) => isDoubtful(place, one, run));
}

/** Settings by the offset where their values begin, in any file: there may be as many problems as settings. */
function settingsByStart(settings: readonly Setting[]): ReadonlyMap<number, readonly Setting[]> {
  const out = new Map<number, Setting[]>();
  for (const setting of settings) {
    if (setting.valuePlace === undefined) continue;
    const { start } = setting.valuePlace.span;
    const those = out.get(start);
    if (those === undefined) out.set(start, [setting]);
    else those.push(setting);
  }
  return out;
}

function nameOf(problem: BindingProblem): string[] {
  const name = problem.values.name;
  return name === undefined ? [] : [name];
}

/** The quoted options themselves, if the expansion that passes them on keeps the words of its array separate. */
function elementOf({ place, element }: BindingProblem, read: Read): Place | undefined {
  if (element === undefined) return undefined;
  const { path, span } = element;
  const text = read(path) ?? '';
  const quote = text.charAt(span.start - 1);
  const isQuoted = /^["']$/.test(quote) && text.charAt(span.end) === quote;
  const passed = (read(place.path) ?? '').slice(place.span.start, place.span.end);
  return isQuoted && !/^\$\{?\w+\}?$/.test(passed) ? element : undefined;
}

/** The fix that keeps the words of an array or a text separate, if nothing else is in the quotes around it. */
function apart({ path, span }: Place, read: Read): Finding['fixes'] {
  const text = read(path) ?? '';
  const written = text.slice(span.start, span.end);
  const quote = text.charAt(span.start - 1);
  const isAlone = /^["']$/.test(quote) && text.charAt(span.end) === quote;
  if (isAlone && /^(?:\$(?:\w+|\{\w+\})|[^"'`*?[\]\\#&|;<>(){}~]+)$/.test(written)) {
    const quotes = [span.start - 1, span.end].map((at) => ({ start: at, end: at + 1 }));
    const edits = quotes.map((quote) => ({ path, span: quote, newText: '' }));
    return [suggestedFix(`Write ${written} without quotes`, edits)];
  }
  if (!isAlone || !/^\$\{\w+\[\*\]\}$/.test(written)) return [];
  const newText = written.replace('*', '@');
  return [suggestedFix(`Write "${newText}"`, [{ path, span, newText }])];
}

/** The most texts that a user may choose from: a longer list says less than the message. */
const mostChoices = 6;

function replacementOf(problem: BindingProblem): Finding['fixes'] {
  const { place, replacement, choices = [], alongside = [], isExample } = problem;
  const { path, span } = place;
  const written = (newText: string, safety: Fix['safety']): Fix => ({
    title: `Write ${newText}`,
    safety,
    cost: undefined,
    edits: [{ path, span, newText }, ...alongside],
  });
  if (replacement === undefined)
    return choices.length > mostChoices ? [] : choices.map((choice) => written(choice, 'example'));
  return isApart(place, replacement)
    ? []
    : [written(replacement, isExample === true ? 'example' : 'suggested')];
}

/** A finding whose fixes are planned on demand, as are all fixes that change more than a word. */
function withFixes(
  finding: Finding,
  changes: readonly PlannedChange[],
  run: Run,
  planFix: FixPlanner,
): Finding {
  let planned: readonly Fix[] | undefined;
  return {
    ...finding,
    get fixes() {
      planned ??= changes.flatMap((change) => plan(change, run, planFix));
      return planned;
    },
  };
}

function plan(change: PlannedChange, run: Run, planFix: FixPlanner): Fix[] {
  const names = [...change.set.keys()];
  const scope = run.scopes.find(({ lookup }) => names.every((name) => lookup(name) !== undefined));
  if (scope === undefined) return [];
  // What the removed settings caused must be written out.
  const left = scope.altered?.(new Map(), change.remove?.map(({ name }) => name) ?? []) ?? scope;
  const fix = planFix(change, run, left);
  return fix === undefined ? [] : [fix];
}

function tagsOf(rule: string): Finding['tags'] {
  if (rule === 'ignored-option' || rule === 'duplicate-option') return ['unnecessary'];
  return rule === 'deprecated-option' || rule === 'renamed-option' ? ['deprecated'] : [];
}

/**
 * The findings on a run's words, except that an option is deprecated if a constraint finds that it is refused at parsing, or says more
 * precisely what has become of it. An error over several deprecated options covers each of them: the newer name of one would not work next to
 * another. Also left out is anything about the value of an option that is refused with every value.
 */
export function withoutSuperseded(
  fromBinding: readonly Finding[],
  fromConstraints: readonly Finding[],
): readonly Finding[] {
  if (!fromBinding.some(({ rule }) => mayBeSuperseded.has(rule))) return fromBinding;
  const at = ({ path, span }: Place): string => `${path} ${span.start}`;
  const covered = new Set(
    fromConstraints.flatMap(({ severity, phase, tags, place, related }) => {
      const isError = severity === 'error';
      if (!tags.includes('deprecated')) return isError && phase === 'parse' ? [at(place)] : [];
      return isError ? [place, ...related.map((other) => other.place)].map(at) : [at(place)];
    }),
  );
  const gone = fromConstraints.filter(
    ({ severity, tags }) => severity === 'error' && tags.includes('deprecated'),
  );
  const isOfGone = ({ path, span }: Place): boolean =>
    gone.some(({ place }) => place.path === path && contains(place.span, span));
  return fromBinding.filter(({ rule, place }) =>
    rule === 'deprecated-option' ? !covered.has(at(place)) : !mayBeSuperseded.has(rule) || !isOfGone(place),
  );
}

/** Rules about an option or its value that a constraint may state better. */
const mayBeSuperseded: ReadonlySet<string> = new Set([
  'deprecated-option',
  'invalid-value',
  'invalid-choice',
]);

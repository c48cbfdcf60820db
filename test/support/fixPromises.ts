import { planFix } from '../../server/src/fixes/plan.ts';
import type { Run } from '../../server/src/frameworks/framework.ts';
import { optionsByName } from '../../server/src/frameworks/options.ts';
import { checkRun } from '../../server/src/rules/check.ts';
import type { Fix } from '../../server/src/rules/finding.ts';
import type { PlannedChange } from '../../server/src/rules/plannedChange.ts';
import type { Data } from '../../server/src/value/value.ts';
import type { TestKnowledge } from './knowledge.ts';
import type { LintedExample } from './lintedExample.ts';

/** A fix and what it promises to set, in the role of a run. */
export interface Promised {
  readonly fix: Fix;
  readonly change: PlannedChange;
  readonly set: string;
  readonly role: string | undefined;
}

/** What the fixes of a rule's findings in an example promise. */
export function promisesOf(
  { knowledgeOf }: TestKnowledge,
  { files, report }: LintedExample,
  rule: string,
): readonly Promised[] {
  const promises: Promised[] = [];
  for (const run of report.runs) {
    const findings = checkRun(run, {
      knowledgeOf,
      optionsOf: ({ options }) => optionsByName(options),
      planFix: (change, of, scope) => {
        const option = (name: string) => optionsByName(knowledgeOf(scope.set).options).get(name);
        const fix = planFix(change, of, scope, { read: (at) => files[at], option });
        if (fix !== undefined) promises.push({ change, fix, set: scope.set, role: scope.role });
        return fix;
      },
    });
    // Fixes are planned when they are read.
    for (const finding of findings) if (finding.rule === rule) void finding.fixes.length;
  }
  return promises;
}

/** How many of the values that a fix promises are known in the runs after it, and those that differ. */
export function keptPromises(
  { fix, change, set, role }: Promised,
  after: readonly Run[],
): { readonly known: number; readonly broken: readonly string[] } {
  const broken: string[] = [];
  let known = 0;
  const scope = after.flatMap(({ scopes }) => scopes).find((each) => each.set === set && each.role === role);
  for (const [name, value] of change.set) {
    const effective = scope?.lookup(name);
    if (effective?.value.kind !== 'known' || effective.how === 'forced') continue;
    // Null removes a setting, and a reference has the value of another one.
    if (value === null && effective.setting === undefined) continue;
    if (typeof value === 'string' && value.startsWith('${')) continue;
    known += 1;
    const [now, wanted] = [comparable(effective.value.data), comparable(value)];
    if (now !== wanted) broken.push(`"${fix.title}": ${name} is ${now}, not ${wanted}`);
  }
  return { known, broken };
}

/** A value as JSON; JSON text and comma-separated numbers equal the map or list that they are read as. */
function comparable(data: Data): string {
  if (typeof data === 'string' && /^-?\d+(,-?\d+)+$/.test(data)) return `[${data}]`;
  if (typeof data !== 'string' || !data.startsWith('{')) return JSON.stringify(data);
  return JSON.stringify(JSON.parse(data));
}

/** Whether two fixes make the same edits. */
export function areSame(one: Fix, other: Fix): boolean {
  return JSON.stringify(one.edits) === JSON.stringify(other.edits);
}

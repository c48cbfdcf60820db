import { describe, expect, it } from 'vitest';
import { planFix } from '../../server/src/fixes/plan.ts';
import type { FrameworkId, Run } from '../../server/src/frameworks/framework.ts';
import { optionsByName } from '../../server/src/frameworks/options.ts';
import { checkRun } from '../../server/src/rules/check.ts';
import type { ExampleEntry } from '../../server/src/rules/constraintFile.ts';
import type { Fix } from '../../server/src/rules/finding.ts';
import type { PlannedChange } from '../../server/src/rules/plannedChange.ts';
import { applyEdits } from '../../server/src/text/edit.ts';
import type { Data } from '../../server/src/value/value.ts';
import { exampleFiles } from '../support/exampleFiles.ts';
import { loadKnowledge, testLinter } from '../support/knowledge.ts';
import { memoryHost } from '../support/memoryHost.ts';

const knowledge = loadKnowledge();
const path = '/repository/run.sh';

interface Planned {
  readonly change: PlannedChange;
  readonly fix: Fix;
  readonly set: string;
  readonly role: string | undefined;
}

/** The fixes of a run's findings, each with the change that it was made from. */
function plansOf(run: Run, files: { readonly [path: string]: string }): readonly Planned[] {
  const plans: Planned[] = [];
  const findings = checkRun(run, {
    knowledgeOf: knowledge.knowledgeOf,
    optionsOf: ({ options }) => optionsByName(options),
    planFix: (change, of, scope) => {
      const option = (name: string) => optionsByName(knowledge.knowledgeOf(scope.set).options).get(name);
      const fix = planFix(change, of, scope, { read: (at) => files[at], option });
      if (fix !== undefined) plans.push({ change, fix, set: scope.set, role: scope.role });
      return fix;
    },
  });
  for (const { fixes } of findings) expect(fixes.length).toBeGreaterThanOrEqual(0);
  return plans;
}

/** A value as JSON; JSON text and comma-separated numbers equal the map or list that they are read as. */
function comparable(data: Data): string {
  if (typeof data === 'string' && /^-?\d+(,-?\d+)+$/.test(data)) return `[${data}]`;
  if (typeof data !== 'string' || !data.startsWith('{')) return JSON.stringify(data);
  return JSON.stringify(JSON.parse(data));
}

/** What a fix claims to set but does not, as far as the values are known afterwards. */
function brokenPromises(framework: FrameworkId, example: ExampleEntry): { count: number; broken: string[] } {
  const base = knowledge.frameworks.get(framework)?.base;
  if (base === undefined) throw new Error(`no base.yaml for ${framework}`);
  const made = exampleFiles(base, example);
  const files: { [path: string]: string } = { [path]: made.script };
  if (made.yaml !== undefined) files[`/repository/${made.yaml.name}`] = made.yaml.text;
  const runsOf = (all: typeof files): readonly Run[] =>
    testLinter(knowledge, memoryHost(all), made.machine).lint(path, all[path] ?? '').runs;
  const broken: string[] = [];
  let count = 0;
  for (const run of runsOf(files))
    for (const { change, fix, set, role } of plansOf(run, files)) {
      const after = { ...files };
      for (const [at, text] of Object.entries(files)) {
        const edits = fix.edits.filter((edit) => edit.path === at);
        after[at] = applyEdits(text, edits) ?? '';
      }
      const scopes = runsOf(after).flatMap(({ scopes: all }) => all);
      const scope = scopes.find((each) => each.set === set && each.role === role);
      for (const [name, value] of change.set) {
        const effective = scope?.lookup(name);
        if (effective?.value.kind !== 'known' || effective.how === 'forced') continue;
        // Null removes a setting.
        if (value === null && effective.setting === undefined) continue;
        count += 1;
        const [now, wanted] = [comparable(effective.value.data), comparable(value)];
        if (now !== wanted) broken.push(`"${fix.title}": ${name} is ${now}, not ${wanted}`);
      }
    }
  return { count, broken };
}

describe.each([...knowledge.frameworks])('what fixes of %s set', (framework, { entries }) => {
  it('is set afterwards', () => {
    let count = 0;
    const broken: string[] = [];
    for (const { entry } of entries) {
      if (entry.each !== undefined) continue;
      for (const example of Array.isArray(entry.bad) ? entry.bad : [entry.bad]) {
        // `~section` deletes what a fix writes into the section.
        if (JSON.stringify(example).includes("'~")) continue;
        const promises = brokenPromises(framework, example);
        count += promises.count;
        broken.push(...promises.broken.map((text) => `${entry.id} ${text}`));
      }
    }
    expect(broken).toEqual([]);
    expect(count).toBeGreaterThan(0);
  });
});

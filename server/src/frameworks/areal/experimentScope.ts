import type { MachineProfile } from '../../value/machine.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import { makeFacts } from '../facts.ts';
import type { Scope } from '../framework.ts';
import { makeScope } from '../scope.ts';
import type { Composition } from './composition.ts';
import type { ExperimentChoice } from './experiment.ts';
import type { Inputs } from './inputs.ts';
import type { Merged } from './mergeInto.ts';
import { optionsInForce } from './optionsInForce.ts';
import type { Schema } from './schema.ts';
import { inWholeAllocation } from './wholeAllocation.ts';

/** The scope of a configuration: its settings and defaults by the options of its experiment class. */
export function experimentScope(
  merged: Merged,
  schema: Schema,
  choice: ExperimentChoice,
  { root, withoutFile }: Composition,
  { launch, form, context, bounds }: Inputs,
): Scope {
  const scope = makeScope({
    set: 'areal',
    role: undefined,
    options: optionsInForce(context.knowledge.options, merged, choice),
    derivations: context.knowledge.derivations,
    settings: merged.settings,
    forced: new Map(
      experimentFacts(form, choice, withoutFile ? undefined : [...root.entries.keys()]).map(
        ([name, value, because]) => [name, { value, because }],
      ),
    ),
    facts: makeFacts({
      worldSize: launch?.worldSize ?? unknown('outside', 'number of GPUs'),
      environment: launch?.env ?? new Map(),
      machine: atMost(bounds.newest, context.machine),
    }),
    unknownDefault: (name) => withoutFile && schema.fields.has(name.split('.')[0] ?? name),
    spelling: (name) => name,
  });
  return {
    ...scope,
    addition: (name) => `++${name}`,
    rewritten: (set) => inWholeAllocation(set, merged.settings),
  };
}

/**
 * The machine with an undeclared AReaL release set to the newest one possible, since rules ask whether the release is older than some version.
 */
function atMost(newest: string | undefined, machine: MachineProfile): MachineProfile {
  const { versions } = machine;
  return newest === undefined || versions.areal !== undefined
    ? machine
    : { ...machine, versions: { ...versions, areal: newest } };
}

/**
 * The facts about the launch and its class that constraints read, each with its reason.
 * @param sections the top-level keys; undefined if the file is missing
 */
function experimentFacts(
  form: Inputs['form'],
  choice: ExperimentChoice,
  sections: readonly string[] | undefined,
): readonly (readonly [name: string, value: Value, because: string])[] {
  const ofFile = (data: readonly string[] | string | null, label: string): Value =>
    sections === undefined ? unknown('file-not-found', label) : known(data);
  return [
    ['launch_mode', known(form?.mode ?? null), 'how the script is started'],
    ['experiment', ofFile(choice.experiment, 'the experiment class'), 'the class of the experiment'],
    [
      'written_sections',
      ofFile(sections ?? [], 'the sections of the file'),
      'the top-level keys of the file and its overrides',
    ],
    ['starts_trainer', startsTrainer(choice), 'what the script does'],
  ];
}

/** A script that starts no trainer itself may import code that does. */
function startsTrainer({ trainer }: ExperimentChoice): Value {
  return trainer === false ? unknown('outside', 'what the script imports') : known(true);
}

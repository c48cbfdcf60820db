import core from '../../../../schemas/megatron-bridge/megatron.json';
import { rememberingBy } from '../../value/remember.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import type { Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import type { Program } from './recognise.ts';

type Forced = { readonly value: Value; readonly because: string; readonly from: readonly string[] };

/** Sections that the precision and overlap settings are written into before anything is checked. */
const { targets, writers } = core.copiedBeforeValidation;

/** Fields of a writing section and the fields that they are copied to. */
const copiesOf = rememberingBy((options: ReadonlyMap<string, OptionFact>, writer) =>
  [...options.keys()]
    .filter((from) => from.startsWith(`${writer}.`))
    .flatMap((from) =>
      targets
        .map((target) => ({ from, name: `${target}.${from.slice(writer.length + 1)}` }))
        .filter(({ name }) => options.has(name)),
    ),
);

/**
 * Fields that upstream overwrites before it validates: `mixed_precision` copies each of its fields over fields of the same name of
 * model, optimizer and ddp, then `comm_overlap` does (mixed_precision.py:127, comm_overlap.py:543). Recipes set both, so that a value
 * given in the target sections is not certain to be in force unless the writer is given as null. The recipe runner copies the
 * sequence length from the data set.
 */
export function rewrittenFields(
  options: ReadonlyMap<string, OptionFact>,
  settings: ReadonlyMap<string, Setting>,
  program: Program | undefined,
): ReadonlyMap<string, Forced> {
  const forced = new Map<string, Forced>();
  if (program !== undefined)
    forced.set('entry.program', { value: known(program), because: 'the launch names it', from: [] });
  if (program === 'run_recipe' || program === 'submit') {
    const length = settings.get('dataset.seq_length')?.value;
    forced.set('model.seq_length', {
      value: length ?? unknown('outside', "the data set's seq_length"),
      because: 'the recipe runner copies dataset.seq_length (recipe_runner.py:471)',
      from: ['dataset.seq_length'],
    });
  }
  for (const writer of writers) {
    const given = settings.get(writer)?.value;
    if (given?.kind === 'known' && given.data === null) continue;
    for (const { from, name } of copiesOf(options, writer)) {
      const source = settings.get(from);
      if (source === undefined && !settings.has(name)) continue;
      forced.set(name, {
        value: source?.value ?? unknown('outside', `what ${writer} sets ${name} to`),
        because: `${writer} writes its own value into ${name}`,
        from: [from],
      });
    }
  }
  return forced;
}

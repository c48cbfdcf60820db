import checkedBefore from '../../../../schemas/slime/checked-before-file.json';
import type { CompiledDerivation } from '../../expression/compiled.ts';
import { namesOf } from '../../expression/tree.ts';
import { remembering } from '../../value/remember.ts';
import type { Knowledge } from '../knowledge.ts';

/**
 * Whether upstream makes a check at this place before it reads that file: in slime, inside the function that reads it, up to the reading line,
 * and where the command line is parsed and compared with the checkpoint (megatron_parse_args); in Relax, in most of that function.
 */
function isBefore(place: string): boolean {
  const line = Number(/:(\d+)/.exec(place)?.[1]);
  return checkedBefore.some(({ source, from, to = Number.POSITIVE_INFINITY }) =>
    from === undefined
      ? place.startsWith(source)
      : place.startsWith(`${source}:`) && line >= from && line <= to,
  );
}

/** The constraints that upstream checks before it reads the `--custom-config-path` file: they see the command line alone. */
export const checkedBeforeFile: (knowledge: Knowledge) => ReadonlySet<string> = remembering(
  ({ constraints }) =>
    new Set(
      constraints
        .filter(({ upstream }) => upstream.length > 0 && upstream.every(isBefore))
        .map(({ id }) => id),
    ),
);

/** The constraints of a set in two parts. */
interface Split {
  /** Those that read what Megatron-LM computes, and those that yield to one of them. */
  readonly ids: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

/**
 * Splits the constraints of a trainer's set by whether they read values that only Megatron-LM computes, after the trainer's own: what its model
 * takes of a GPU.
 *
 * @param own the steps of the trainer
 */
export function splitByMegatronValues(
  set: Knowledge,
  own: readonly CompiledDerivation[],
  megatron: Knowledge,
): Split {
  return splitBy(set)(own)(megatron);
}

const splitBy = remembering(({ constraints, options }: Knowledge) =>
  remembering((own: readonly CompiledDerivation[]) =>
    remembering((megatron: Knowledge): Split => {
      const early = new Set([
        ...own.map((step) => step.set),
        ...[...options, ...megatron.options].map(({ name }) => name),
      ]);
      const late = new Set(megatron.derivations.flatMap(({ set }) => (early.has(set) ? [] : [set])));
      const asking = new Set(
        constraints.flatMap(({ id, when }) => (namesOf(when).some((name) => late.has(name)) ? [id] : [])),
      );
      const ids = new Set(
        constraints.flatMap(({ id, narrower }) =>
          asking.has(id) || narrower.some((other) => asking.has(other)) ? [id] : [],
        ),
      );
      return { ids, others: new Set(constraints.flatMap(({ id }) => (ids.has(id) ? [] : [id]))) };
    }),
  ),
);

import type { Launch } from '../../launch/launch.ts';
import { remembering } from '../../value/remember.ts';
import { textOf } from '../../value/word.ts';
import { lastOf } from '../argparse/settings.ts';
import type { BindingProblem, Run, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { asWarning } from '../problem.ts';

/** Whether Megatron-LM trains: with `--debug-rollout-only` nothing does, and older versions have another backend. */
export function trains(settings: ReadonlyMap<string, Setting>, launch: Launch): boolean {
  return isMegatron(settings, launch) && !settings.has('debug_rollout_only');
}

/** Whether the backend is Megatron-LM. In autumn 2025 a variable named it, before there was an option for it. */
export function isMegatron(settings: ReadonlyMap<string, Setting>, launch: Launch): boolean {
  const backend = settings.get('train_backend')?.value;
  const variable = launch.env.get('SLIME_BACKEND');
  if (backend === undefined && variable !== undefined) return textOf(variable) === 'megatron';
  return backend === undefined || (backend.kind === 'known' && backend.data === 'megatron');
}

/**
 * Problems under another backend: the only certain one is that its option is rejected, since it parses the others itself. Megatron-LM's rules
 * for its own options say nothing about options of the same name there.
 *
 * @param own the flags that the trainer declares for all backends
 */
export function ofBackend(
  megatron: boolean,
  own: ReadonlySet<string>,
  problems: readonly BindingProblem[],
): readonly BindingProblem[] {
  if (megatron) return problems;
  return problems.flatMap((problem) => {
    if (problem.values.name === '--train-backend') return [problem];
    const { rule, values } = problem;
    const isOfMegatron = rule !== 'unknown-option' && values.name !== undefined && !own.has(values.name);
    return isOfMegatron ? [] : [asWarning(problem)];
  });
}

/** The flags of some options. */
export const flagsOf = remembering(
  (options: readonly OptionFact[]): ReadonlySet<string> =>
    new Set(options.flatMap(({ flags }) => flags ?? [])),
);

/**
 * The run without problems about another backend's own flags: those unlike any known flag, and those that match one of SGLang's without its
 * prefix.
 */
export function withoutFlagsOfBackend(run: Run): Run {
  if (run.launch === undefined || isMegatron(lastOf(run.settings), run.launch)) return run;
  const problems = run.problems.filter(
    ({ rule, replacement, values }) =>
      rule !== 'unknown-option' ||
      (replacement !== undefined && replacement !== `--sglang-${values.name?.slice('--'.length)}`),
  );
  return { ...run, problems };
}

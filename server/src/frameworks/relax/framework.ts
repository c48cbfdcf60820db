import type { Launch } from '../../launch/launch.ts';
import { unknown } from '../../value/value.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { documentRun } from '../documentRun.ts';
import type { BindingContext, Framework, FrameworkId, Run } from '../framework.ts';
import { megatronConstraintsReplaced } from '../slime/excludes.ts';
import { throughWrapper, trainerScript } from '../slime/recognise.ts';
import { bindTrainer } from '../slime/trainer.ts';

const entryScript = 'relax/entrypoints/train.py';

/**
 * Constraints of slime that do not hold for Relax: it has no such option, decides otherwise at that point, or its own
 * constraint says it more exactly.
 */
const notOfRelax: ReadonlySet<string> = new Set([
  'rollout-below-global-batch',
  'epoch-ignored-beside-rollouts',
  'epochs-need-the-global-data-set',
  'token-budget-below-prompt-and-response',
  'rollout-gpus-missing',
  'debug-rollout-needs-gpus',
  'engine-gpus-not-positive',
  'gpus-per-node-left-at-eight',
  'external-engine-address',
  'external-engines-decide-their-gpus',
  'update-weight-buffer-not-positive',
  'expandable-segments-are-removed-for-engines',
  'prefill-leaves-no-decode',
  'rollout-temperature-not-positive',
  'cispo-keeps-a-lower-bound',
  'teacher-without-distillation',
  'mtp-training-beside-overlapped-experts',
  'allgather-context-parallel-scrambles-tokens',
  'upcycling-is-refused',
  'training-needs-a-checkpoint',
  'debug-dumps-in-one-file',
  'first-run-has-no-checkpoint',
  'vocabulary-size-missing',
  'evaluation-data-set-unknown-key',
  'evaluation-defaults-unknown-key',
  'evaluation-samples-not-positive',
  'engine-config-without-models',
  'engine-config-worker-type',
  'engine-config-group-without-gpus',
  'engine-config-group-unknown-key',
  'engine-config-model-without-name',
  'engine-config-gpu-total',
  'ppo-forces-offload',
  'prompt-data-format',
  'evaluation-data-format',
  'rollouts-need-the-global-data-set',
  'group-reward-with-evaluation',
  'dual-clip-bound',
  'tensorboard-without-a-place',
  'expandable-segments-switch',
  'export-over-the-checkpoint',
]);

const excludes: ReadonlyMap<FrameworkId, ReadonlySet<string>> = new Map([
  ['slime', notOfRelax],
  ['megatron-lm', megatronConstraintsReplaced],
]);

/** Relax: slime's descendant that runs its roles as services, with GPUs given by --resource. */
export const relax: Framework = {
  id: 'relax',
  title: 'Relax',

  recogniseLaunch(launch: Launch): string | undefined {
    const script = trainerScript(launch);
    if (script === undefined) return undefined;
    return script.shown === entryScript || script.shown.endsWith(`/${entryScript}`)
      ? `runs ${entryScript}${throughWrapper(launch)}`
      : undefined;
  },

  recogniseDocument(): string | undefined {
    return undefined;
  },

  bindLaunch(launch: Launch, because: string, context: BindingContext): Run {
    return bindTrainer(launch, because, context, {
      framework: 'relax',
      sets: ['relax', 'slime'],
      excludes,
      upstream: true,
      entryScript: unknown('outside', 'the entry script'),
    });
  },

  bindDocument(document: YamlDocument, because: string): Run {
    return documentRun(document, because, 'relax');
  },
};

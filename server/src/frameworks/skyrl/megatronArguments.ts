import type { BindingProblem } from '../framework.ts';
import type { KnowledgeSource } from '../knowledge.ts';
import { nearestKey } from '../nearest.ts';
import { keyReplacement, type Override, settingOf } from '../omegaconf/overrides.ts';

/** The blocks of `megatron_config` whose keys are passed on by name, and where Megatron Bridge has the same names. */
const blocks = [
  {
    name: 'megatron_config.transformer_config_kwargs.',
    of: 'model.',
    hint: (near: string) =>
      ` Megatron has ${near}; SkyRL sets every name on the model's provider without a check, and nothing reads this one.`,
  },
  {
    name: 'megatron_config.optimizer_config_kwargs.',
    of: 'optimizer.',
    hint: (near: string) =>
      ` Megatron has ${near}; its OptimizerConfig takes no other names, and the workers stop with a TypeError.`,
  },
];

/**
 * Arguments of Megatron-core whose spelling is close to a known one. The Megatron that SkyRL pins may have names unknown here, so only a near
 * miss is reported, and as a warning.
 */
export function megatronArguments(
  overrides: readonly Override[],
  knowledgeOf: KnowledgeSource,
): BindingProblem[] {
  return blocks.flatMap(({ name: block, of, hint }) => {
    const passed = overrides.filter(({ key }) => key.includes(block));
    if (passed.length === 0) return [];
    const known = new Set(
      knowledgeOf('megatron-bridge')
        .options.filter(({ name }) => name.startsWith(of))
        .map(({ name }) => name.slice(of.length)),
    );
    return passed.flatMap((override): BindingProblem[] => {
      const at = override.key.indexOf(block) + block.length;
      const argument = override.key.slice(at);
      if (argument === '' || known.has(argument.split('.', 1)[0] ?? '')) return [];
      const near = nearestKey(argument, known);
      if (near === undefined) return [];
      return [
        {
          rule: 'unknown-option',
          place: override.keyPlace,
          values: { name: override.key, hint: hint(near) },
          setting: settingOf(override, override.key),
          replacement: keyReplacement(override, `${override.key.slice(0, at)}${near}`),
          severity: 'warning',
          related: [],
        },
      ];
    });
  });
}

import type { BindingProblem } from '../framework.ts';
import type { Knowledge } from '../knowledge.ts';
import { nearestKey } from '../nearest.ts';
import { keyReplacement, type Override, settingOf } from '../omegaconf/overrides.ts';

const block = 'generator.inference_engine.engine_init_kwargs.';

/**
 * Arguments of vLLM whose spelling is close to a known one. vLLM has more arguments than are known here, and they are set without a check, so
 * this is only a hint.
 */
export function engineArguments(overrides: readonly Override[], knowledge: Knowledge): BindingProblem[] {
  const passed = overrides.filter(({ key }) => key.startsWith(block));
  if (passed.length === 0) return [];
  const known = new Set(
    knowledge.options
      .filter(({ parser, name }) => parser === 'vllm' || name.startsWith(block))
      .map(({ name }) => name.slice(block.length)),
  );
  return passed.flatMap((override) => {
    const argument = override.path[3] ?? '';
    const near = known.has(argument) || argument === '' ? undefined : nearestKey(argument, known);
    if (near === undefined) return [];
    const meant = `${block}${near}${override.key.slice(block.length + argument.length)}`;
    return [
      {
        rule: 'unknown-option',
        place: override.keyPlace,
        values: {
          name: override.key,
          hint: ` vLLM has ${near}; SkyRL passes every name on without a check.`,
        },
        setting: settingOf(override, override.key),
        replacement: keyReplacement(override, meant),
        severity: 'info',
        related: [],
      } as const,
    ];
  });
}

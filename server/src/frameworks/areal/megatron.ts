import data from '../../../../schemas/areal/megatron.json';
import { remembering } from '../../value/remember.ts';
import type { Value } from '../../value/value.ts';
import type { BindingContext, Effective, Scope, Setting } from '../framework.ts';
import type { Knowledge } from '../knowledge.ts';
import { optionsByName } from '../options.ts';
import { makeScope } from '../scope.ts';

/** Options that AReaL passes to Megatron's TransformerConfig unchanged. */
const recompute: readonly string[] = data.sameName;

/**
 * Megatron's constraints for the roles that a Megatron engine runs, as far as the engine passes settings on unchanged: the recompute settings
 * and the sizes. Everything else is unknown there, because a bridge fills it in from the model. AReaL pins another release of Megatron-Core
 * than the one our constraints describe, so only its advice and warnings about these settings apply here; what every release rejects is among
 * AReaL's own constraints.
 */
export function megatronScopes(scope: Scope, context: BindingContext): Scope[] {
  const active = data.roles.filter((role) => sees(scope, role));
  if (active.length === 0) return [];
  const knowledge = context.knowledgeOf('megatron-lm');
  const options = optionsByName(knowledge.options);
  const excludes = excluded(knowledge);
  return active.map((role) => {
    const prefix = `${role}.megatron.`;
    const settings = new Map<string, Setting>();
    const forced = new Map<string, { value: Value; because: string; from?: readonly string[] }>();
    for (const name of recompute) {
      const effective = scope.lookup(`${prefix}${name}`);
      if (effective?.setting !== undefined) settings.set(name, { ...effective.setting, name });
      else if (effective !== undefined)
        forced.set(name, { value: effective.value, because: 'it is the default of AReaL' });
    }
    const granularity = scope.lookup(`${prefix}recompute_granularity`);
    if (granularity !== undefined)
      forced.set('effective_recompute_granularity', {
        value: granularity.value,
        because: 'AReaL passes it on',
        from: ['recompute_granularity'],
      });
    for (const [name, letter] of Object.entries(data.sizes)) {
      const size = scope.lookup(`${role}_${letter}`);
      if (size !== undefined)
        forced.set(name, { value: size.value, because: `it is ${letter} of ${role}.backend` });
    }
    return makeScope({
      set: 'megatron-lm',
      role,
      options,
      derivations: [],
      settings,
      forced,
      facts: () => undefined,
      unknownDefault: () => true,
      excludes,
      spelling: (name) => (recompute.includes(name) ? `${prefix}${name}` : `${role}.backend`),
    });
  });
}

/**
 * Whether the role's recompute settings reach Megatron: always through megatron-bridge, and through mbridge if gradient_checkpointing is on.
 */
function sees(scope: Scope, role: string): boolean {
  const data = (name: string): unknown => dataOf(scope.lookup(name));
  if (data(`${role}_built`) !== true || data(`${role}_engine`) !== 'megatron') return false;
  const bridge = data(`${role}.megatron.bridge_type`);
  return (
    bridge === 'megatron-bridge' || (bridge === 'mbridge' && data(`${role}.gradient_checkpointing`) === true)
  );
}

function dataOf(effective: Effective | undefined): unknown {
  return effective?.value.kind === 'known' ? effective.value.data : undefined;
}

const excluded = remembering(
  (knowledge: Knowledge): ReadonlySet<string> =>
    new Set(
      knowledge.constraints
        .filter(({ severity, id }) => severity === 'error' || !id.includes('recompute'))
        .map(({ id }) => id),
    ),
);

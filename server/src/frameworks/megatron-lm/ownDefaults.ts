import recognition from '../../../../schemas/megatron-lm/recognise.json';
import type { Host } from '../../value/host.ts';
import { rememberingBy } from '../../value/remember.ts';
import { declarationsIn } from '../argparse/declarations.ts';
import { hasKnownDefault } from '../argparse/statedDefault.ts';
import type { Scope } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';

/** The names of options to which the Megatron tree in a folder gives a default other than the known one. */
export function otherDefaultsIn(
  folder: string,
  options: readonly OptionFact[],
  host: Host,
): ReadonlySet<string> {
  return otherDefaults(options, host.read(`${folder}/${recognition.declaring}`) ?? '');
}

const otherDefaults = rememberingBy((options: readonly OptionFact[], source): ReadonlySet<string> => {
  const facts = new Map<string, OptionFact>();
  for (const option of options)
    if (option.parser === undefined && option.removed === undefined)
      for (const flag of option.flags ?? []) facts.set(flag, option);
  const out = new Set<string>();
  for (const [flag, declaration] of declarationsIn(source)) {
    const option = facts.get(flag);
    if (option === undefined) continue;
    const stored = /\bdest\s*=\s*["'](\w+)["']/.exec(declaration)?.[1];
    if ((stored ?? flag.slice(2).replaceAll('-', '_')) !== option.name) continue;
    // Nothing distinguishes an empty text, None and False.
    const isOff = /\bdefault\s*=\s*(?:''|""|None|False)\s*[,)\n]/.test(declaration) && !option.default;
    if (!isOff && !hasKnownDefault(declaration, option)) out.add(option.name);
  }
  return out;
});

/** Whether any of these names, or what they are derived from, has a default that belongs to a set. */
export function restsOnDefault(
  names: readonly string[],
  scope: Scope,
  defaults: ReadonlySet<string>,
): boolean {
  const seen = new Set(names);
  for (const name of seen) {
    const effective = scope.lookup(name);
    if (effective?.how === 'default' && defaults.has(name)) return true;
    if (effective?.how === 'derived') for (const source of effective.from) seen.add(source);
  }
  return false;
}

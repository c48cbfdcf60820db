import { isMap } from '../../expression/result.ts';
import { remembering, rememberingBy } from '../../value/remember.ts';
import { type Data, known, unknown } from '../../value/value.ts';
import { fact } from '../facts.ts';
import type { Effective } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import type { Program } from './programs.ts';

/** The class that a program's overrides fill; that of the JAX backend is filled by a tinker server. */
export type Root = 'SkyRLTrainConfig' | 'SFTConfig' | 'JaxBackendConfig';

/** The root of a program; unknown programs are assumed to be RL programs. */
export function rootOf(program: Program): Root {
  return program.kind === 'sft' ? 'SFTConfig' : 'SkyRLTrainConfig';
}

/** The options that a program's overrides may set, and the facts about the launch that constraints read. */
export function optionsOf(
  knowledge: Knowledge,
  root: Root,
  program: Program,
): ReadonlyMap<string, OptionFact> {
  const { module } = program;
  const parsers = parsersOf(knowledge.options);
  return optionsOfParsers(knowledge.options, parsers.has(module) ? `${root} ${module}` : root);
}

const parsersOf = remembering(
  (options: readonly OptionFact[]) => new Set(options.flatMap(({ parser }) => parser?.split(' ') ?? [])),
);

const optionsOfParsers = rememberingBy((options: readonly OptionFact[], parsers) => {
  const wanted = parsers.split(' ');
  const out = new Map<string, OptionFact>();
  for (const fact of options)
    if ((fact.parser ?? '').split(' ').some((parser) => wanted.includes(parser))) out.set(fact.name, fact);
  return out;
});

/**
 * The value of a key that nobody wrote below an option with arbitrary keys (`engine_init_kwargs.max_model_len`): the value in the option's
 * default, else null. Undefined if the name is not below such an option.
 */
export function freeKey(
  name: string,
  options: ReadonlyMap<string, OptionFact>,
  opaque: readonly string[],
): Effective | undefined {
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const option = options.get(name.slice(0, dot));
    if (option === undefined) continue;
    if (option.open !== true) return undefined;
    const hidden = opaque.some((prefix) => prefix === option.name || option.name.startsWith(`${prefix}.`));
    const value = hidden
      ? unknown('outside', name)
      : known(inside(option.default, name.slice(dot + 1).split('.')));
    return fact(value, 'default');
  }
  return undefined;
}

function inside(data: Data, path: readonly string[]): Data {
  let at: Data = data;
  for (const key of path) {
    if (!isMap(at)) return null;
    at = at[key] ?? null;
  }
  return at;
}

import { remembering, rememberingBy } from '../../value/remember.ts';
import { declarationsIn } from '../argparse/declarations.ts';
import { hasKnownDefault } from '../argparse/statedDefault.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';

/**
 * The options to which a source with slime's declarations gives a default other than the known one.
 *
 * @param source `utils/arguments.py` from the workspace
 */
export const otherDefaults: (knowledge: Knowledge, source: string) => ReadonlySet<string> = rememberingBy(
  (knowledge: Knowledge, source) => {
    const declared = declarations(knowledge, source);
    const out = new Set<string>();
    for (const [flag, option] of byFlag(knowledge)) {
      const declaration = declared.get(flag);
      if (declaration !== undefined && !hasKnownDefault(declaration, option)) out.add(option.name);
    }
    return out;
  },
);

/** Whether a source declares a flag with a type or a number of values other than the known ones. */
export function differsFrom(knowledge: Knowledge, source: string, flag: string): boolean {
  const declaration = declarations(knowledge, source).get(flag);
  const option = byFlag(knowledge).get(flag);
  if (declaration === undefined || option === undefined) return false;
  const action = argumentOf(declaration, 'action');
  const isSwitch = action !== undefined && action !== 'append';
  if (isSwitch !== (option.action !== undefined && option.action !== 'append')) return true;
  const nargs = argumentOf(declaration, 'nargs');
  if (nargs !== (option.nargs === undefined ? undefined : String(option.nargs))) return true;
  const type = argumentOf(declaration, 'type')?.replace('json.loads', 'json');
  return type !== undefined && type !== (option.type === 'list' ? (option.items ?? type) : option.type);
}

/** The options that slime itself declares, by flag. */
const byFlag = remembering(
  ({ options }: Knowledge): ReadonlyMap<string, OptionFact> =>
    new Map(
      options
        .filter(({ parser }) => parser === 'megatron' || parser === 'pre')
        .flatMap((option) => (option.flags ?? []).map((flag) => [flag, option] as const)),
    ),
);

const declarations = rememberingBy((_: Knowledge, source) => declarationsIn(source));

/** The plain value of an argument in a declaration: `type=int` gives `int`. */
function argumentOf(declaration: string, name: string): string | undefined {
  return new RegExp(`\\b${name}\\s*=\\s*["']?([\\w.+*?-]+)`).exec(declaration)?.[1];
}

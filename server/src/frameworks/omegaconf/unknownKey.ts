import { rememberingBy } from '../../value/remember.ts';
import type { OptionFact } from '../knowledge.ts';
import { nearestKey } from '../nearest.ts';

/**
 * The key that was probably meant, keeping what follows the unknown part.
 *
 * @param name the prefix of the key up to and including the first unknown part
 */
export function nearKey(
  name: string,
  key: string,
  options: ReadonlyMap<string, OptionFact>,
): string | undefined {
  return nearKeys(options, `${name}\0${key}`).found;
}

/** The same keys are looked up again with every character typed beside them. */
const nearKeys = rememberingBy((options: ReadonlyMap<string, OptionFact>, asked) => {
  const [name = '', key = ''] = asked.split('\0', 2);
  return { found: nearest(name, key, options) };
});

function nearest(name: string, key: string, options: ReadonlyMap<string, OptionFact>): string | undefined {
  const named = [...options.values()].filter(
    (option) => option.removed === undefined && option.renamedTo === undefined,
  );
  const whole = nearestKey(
    key.replace(/^[-+]+/, ''),
    named.map((option) => option.name),
  );
  if (whole !== undefined || !key.startsWith(`${name}.`)) return whole;
  const part = nearestKey(
    name.replace(/^[-+]+/, ''),
    named.filter((option) => option.type === 'group' || option.open === true).map((option) => option.name),
  );
  if (part === undefined) return undefined;
  const meant = `${part}${key.slice(name.length)}`;
  const next = meant.split('.', part.split('.').length + 1).join('.');
  return options.get(part)?.open === true || options.has(next) ? meant : undefined;
}

/** For Hydra's `~key`: the dotlist read here has no such operation. */
export const noDeletion = ' A ~ deletes nothing here; leave the key out to have its default.';

/** The hint after the name of an unknown key. */
export function unknownHint(suggestion: string | undefined, about: string | undefined): string {
  if (suggestion !== undefined) return ` Did you mean ${suggestion}?`;
  return about === undefined ? '' : ` ${about}`;
}

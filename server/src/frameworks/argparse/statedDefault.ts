import type { Data } from '../../value/value.ts';
import type { OptionFact } from '../knowledge.ts';

const literal = /\bdefault\s*=\s*(None|True|False|-?\d[\d.]*(?:e-?\d+)?|"[^"\n]*"|'[^'\n]*')\s*[,)\n]/;

/**
 * Whether the declaration of an option with argparse gives it the known default. Values that upstream computes from a text, and values that are
 * not plain, are not compared.
 *
 * @param declaration the arguments of one call, from after the flag on
 */
export function hasKnownDefault(declaration: string, option: OptionFact): boolean {
  const known = option.default;
  if (option.defaultUnknown === true || (typeof known === 'object' && known !== null)) return true;
  const written = literal.exec(declaration)?.[1];
  if (written !== undefined) return plainValue(written) === known;
  return /\bdefault\s*=/.test(declaration) || known === unwritten(declaration, option);
}

function plainValue(written: string): Data {
  if (/^["']/.test(written)) return written.slice(1, -1);
  if (written === 'None') return null;
  return written === 'True' || (written === 'False' ? false : Number(written));
}

/** The default that argparse gives an option whose declaration states none; its action may be another one than that of the known option. */
function unwritten(declaration: string, option: OptionFact): Data {
  const [stated, quoted] = /\baction\s*=\s*(?:["'](\w+))?/.exec(declaration) ?? [];
  const action = stated === undefined ? option.action : quoted;
  if (action === 'store_true') return false;
  return action === 'store_false' ? true : null;
}

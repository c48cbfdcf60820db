import type { Data } from '../value/value.ts';
import { resolveScalar } from '../yaml/scalar.ts';

/** A scalar as the text of one argument; undefined for null, lists and maps. `like` is the text that it replaces. */
export function argumentText(data: Data, like?: string): string | undefined {
  if (typeof data === 'string') return data;
  if (typeof data === 'number') return decimalText(data);
  if (typeof data === 'boolean') {
    const text = data ? 'true' : 'false';
    return like === 'True' || like === 'False' ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  }
  return undefined;
}

/** The texts of the arguments after a flag. */
export function argumentTexts(data: Data, like?: string): readonly string[] | undefined {
  if (!Array.isArray(data)) {
    const text = argumentText(data, like);
    return text === undefined ? undefined : [text];
  }
  const items: readonly Data[] = data;
  const texts = items.map((item) => argumentText(item));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** A value as YAML on one line; `quote` keeps the quotes of the previous text. */
export function yamlText(data: Data, quote: '"' | "'" | '' = ''): string {
  if (data === null) return 'null';
  if (typeof data === 'boolean') return data ? 'true' : 'false';
  if (typeof data === 'number') return numberText(data);
  if (typeof data === 'string') return scalarText(data, quote);
  if (isList(data)) return `[${data.map((item) => yamlText(item, quote)).join(', ')}]`;
  return `{${Object.entries(data)
    .map(([key, value]) => `${scalarText(key, '')}: ${yamlText(value, quote)}`)
    .join(', ')}}`;
}

/**
 * A value after `key=` of an override, before shell quoting. Without blanks, except for the one that YAML requires after the colon of a key and
 * that Hydra accepts too.
 */
export function overrideText(data: Data): string {
  if (isList(data)) return `[${data.map(overrideText).join(',')}]`;
  if (data !== null && typeof data === 'object')
    return `{${Object.entries(data)
      .map(([key, value]) => `${key}: ${overrideText(value)}`)
      .join(',')}}`;
  return yamlText(data);
}

function isList(data: Data): data is readonly Data[] {
  return Array.isArray(data);
}

/** A number as people write it: `1e-6`, not `0.000001`. */
function decimalText(value: number): string {
  return value !== 0 && Math.abs(value) < smallest ? value.toExponential() : String(value);
}

/** Smaller numbers are written with an exponent. */
const smallest = 1e-4;

function numberText(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  const text = decimalText(value);
  return /^-?\d+e/.test(text) ? text.replace('e', '.0e') : text;
}

function scalarText(text: string, quote: '"' | "'" | ''): string {
  const plain =
    /^[A-Za-z0-9_./-][A-Za-z0-9_./+@=:-]*$/.test(text) &&
    !/:$|^-$|^---/.test(text) &&
    typeof resolveScalar(text, 'pyyaml') === 'string';
  const stays =
    plain &&
    typeof resolveScalar(text, 'omegaconf') === 'string' &&
    typeof resolveScalar(text, 'core') === 'string';
  if (stays && quote === '') return text;
  if (quote === "'" && /^[\x20-\x7e]*$/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text);
}

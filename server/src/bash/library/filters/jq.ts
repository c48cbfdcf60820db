import { type Filter, readOperands } from './filter.ts';
import { has, parseOptions } from './options.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * `jq` with -r, -c, -e on one JSON text: paths (`.a.b[0]`, `.[]`), `// LITERAL`, `// empty`, `length`, `keys`; with -n, objects built from the
 * values of --arg and --argjson.
 */
export const jq: Filter = (args, input, context) => {
  if (args.some((arg) => arg === '-n' || arg === '--null-input' || /^-[rc]*n[rc]*$/.test(arg)))
    return jqOfNothing(args);
  const options = parseOptions(args, {
    flags: 'rce',
    valued: '',
    long: { 'raw-output': 'r', 'compact-output': 'c' },
  });
  if (options === undefined) return undefined;
  const [program, ...files] = options.operands;
  const texts = readOperands(files, input, context);
  if (program === undefined || texts === undefined || texts.length !== 1 || has(options, 'e'))
    return undefined;
  const document = parseJson(texts[0] ?? '');
  if (document === undefined) return undefined;
  let values: readonly Json[] = [document.value];
  for (const stage of program.split('|')) {
    const next: Json[] = [];
    for (const value of values) {
      const results = apply(stage.trim(), value);
      if (results === undefined) return undefined;
      next.push(...results);
    }
    values = next;
  }
  const lines: string[] = [];
  for (const value of values) {
    const text = has(options, 'r') && typeof value === 'string' ? value : show(value, has(options, 'c'));
    if (text === undefined) return undefined;
    lines.push(`${text}\n`);
  }
  return { output: lines.join(''), status: 0 };
};

/** `jq -n --arg NAME TEXT --argjson NAME JSON '{"key": $NAME, …}'`. */
function jqOfNothing(args: readonly string[]): ReturnType<Filter> {
  const values = new Map<string, Json>();
  const others: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const [arg = '', name, text] = args.slice(at, at + 3);
    if (arg !== '--arg' && arg !== '--argjson') {
      others.push(arg);
      continue;
    }
    const value = text === undefined ? undefined : arg === '--arg' ? { value: text } : parseJson(text);
    if (name === undefined || value === undefined) return undefined;
    values.set(name, value.value);
    at += 2;
  }
  const options = parseOptions(others, {
    flags: 'rcn',
    valued: '',
    long: { 'raw-output': 'r', 'compact-output': 'c', 'null-input': 'n' },
  });
  const [program, ...files] = options?.operands ?? [];
  if (options === undefined || program === undefined || files.length > 0) return undefined;
  const made = parseJson(filledIn(program, values) ?? '');
  if (made === undefined) return undefined;
  const raw = has(options, 'r') && typeof made.value === 'string' ? made.value : undefined;
  const text = raw ?? show(made.value, has(options, 'c'));
  return text === undefined ? undefined : { output: `${text}\n`, status: 0 };
}

/** A jq program that only combines values, as the JSON text that it produces; undefined for any other. */
function filledIn(program: string, values: ReadonlyMap<string, Json>): string | undefined {
  const token =
    /\s+|("(?:[^"\\]|\\["\\/])*")|\(\s*\$(\w+)\s*\|\s*(tonumber|tostring)\s*\)|\$(\w+)|([A-Za-z_]\w*)(?=\s*:)|(null|true|false|-?\d+|[{}[\],:])/y;
  const keys = new Set<string>();
  let out = '';
  for (let at = 0; at < program.length; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(program);
    if (found === null) return undefined;
    const [, string, converted, into, name, key, plain] = found;
    const written = string ?? (key === undefined ? undefined : JSON.stringify(key));
    if (written !== undefined && /^\s*:/.test(program.slice(token.lastIndex, token.lastIndex + 40))) {
      // A duplicate key keeps its first position.
      if (keys.has(written)) return undefined;
      keys.add(written);
    }
    const value = values.get(name ?? converted ?? '');
    const isInteger = /^(?:0|-?[1-9]\d{0,14})$/.test(String(value));
    if (converted !== undefined && !isInteger) return undefined;
    if (name !== undefined && value === undefined) return undefined;
    if (converted !== undefined) out += into === 'tonumber' ? String(value) : JSON.stringify(String(value));
    else out += name === undefined ? (written ?? plain ?? ' ') : JSON.stringify(value);
  }
  return out;
}

/** jq versions print numbers written with a point or an exponent differently: an integral one is replaced by one that is not. */
function withoutWholeFractions(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g, (token) =>
    /^-?\d+[.eE]/.test(token) && Number.isInteger(Number(token)) ? '0.5' : token,
  );
}

function parseJson(text: string): { readonly value: Json } | undefined {
  try {
    const value: Json = JSON.parse(withoutWholeFractions(text));
    return { value };
  } catch {
    return undefined;
  }
}

function apply(stage: string, value: Json): readonly Json[] | undefined {
  if (stage === 'length') return lengthOf(value);
  if (stage === 'keys') return isObject(value) ? [Object.keys(value).sort()] : undefined;
  const alternative = /^(.*?)\s*\/\/\s*(empty|null|true|false|-?\d+|"[^"\\]*")$/.exec(stage);
  if (alternative === null) return follow(stage, value);
  const found = follow(alternative[1] ?? '', value)?.filter((item) => item !== null && item !== false);
  if (found === undefined || found.length > 0) return found;
  const fallback = alternative[2] ?? '';
  if (fallback === 'empty') return [];
  const literal = parseJson(fallback);
  return literal && [literal.value];
}

function lengthOf(value: Json): readonly Json[] | undefined {
  if (value === null) return [0];
  if (typeof value === 'string') return [[...value].length];
  if (Array.isArray(value)) return [value.length];
  return isObject(value) ? [Object.keys(value).length] : undefined;
}

function follow(path: string, start: Json): readonly Json[] | undefined {
  if (path === '.') return [start];
  const steps = /\.([A-Za-z_]\w*)|\.?\["([^"\\]*)"\]|\.?\[(-?\d+)\]|\.?(\[\])/y;
  let values: readonly Json[] = [start];
  let at = 0;
  while (at < path.length) {
    steps.lastIndex = at;
    const step = steps.exec(path);
    if (step === null || (at === 0 && !path.startsWith('.'))) return undefined;
    at += step[0].length;
    const key = step[1] ?? step[2];
    const next: Json[] = [];
    for (const value of values) {
      const results = take(value, key, step[3]);
      if (results === undefined) return undefined;
      next.push(...results);
    }
    values = next;
  }
  return at === 0 ? undefined : values;
}

function take(value: Json, key: string | undefined, index: string | undefined): readonly Json[] | undefined {
  if (key !== undefined) {
    if (value === null) return [null];
    return isObject(value) ? [Object.hasOwn(value, key) ? (value[key] ?? null) : null] : undefined;
  }
  if (index !== undefined) {
    if (value === null) return [null];
    return isList(value) ? [value.at(Number(index)) ?? null] : undefined;
  }
  if (isList(value)) return value;
  return isObject(value) && inOrder(value) ? Object.values(value) : undefined;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** Whether key order is preserved: JavaScript moves keys that look like numbers to the front. */
function inOrder(value: { readonly [key: string]: Json }): boolean {
  return !Object.keys(value).some((key) => /^\d+$/.test(key));
}

function show(value: Json, compact: boolean): string | undefined {
  return isPlain(value) ? JSON.stringify(value, null, compact ? 0 : 2) : undefined;
}

/** Whether every version of jq prints the value like JavaScript does: integers, no control characters. */
function isPlain(value: Json): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && Math.abs(value) < 1e15;
  if (typeof value === 'string') return !/\p{Cc}|[\ud800-\udfff]/u.test(value);
  if (isList(value)) return value.every(isPlain);
  return !isObject(value) || (inOrder(value) && Object.entries(value).every((entry) => entry.every(isPlain)));
}

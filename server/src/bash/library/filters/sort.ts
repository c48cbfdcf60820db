import { follows } from '../order.ts';
import { type Filter, joinLines, readOperands, splitLines } from './filter.ts';
import { has, lastValue, parseOptions } from './options.ts';

/** `sort` with -n -r -u -V -k -t -z. Undefined if the order depends on the locale. */
export const sort: Filter = (args, input, context) => {
  const options = parseOptions(args, {
    flags: 'nruVsz',
    valued: 'kt',
    long: {
      'numeric-sort': 'n',
      reverse: 'r',
      unique: 'u',
      'version-sort': 'V',
      key: 'k',
      'field-separator': 't',
      stable: 's',
      'zero-terminated': 'z',
    },
  });
  if (options === undefined || (options.values.get('k')?.length ?? 0) > 1) return undefined;
  const texts = readOperands(options.operands, input, context, has(options, 'z'));
  const keyOf = compileKey(lastValue(options, 'k'), lastValue(options, 't'));
  if (texts === undefined || keyOf === undefined) return undefined;
  const end = has(options, 'z') ? '\0' : '\n';
  const lines = texts.flatMap((text) => splitLines(text, end).lines);
  if (lines.length > 20_000) return undefined;
  const numeric = has(options, 'n') || keyOf.flags.includes('n');
  const version = has(options, 'V') || keyOf.flags.includes('V');
  const reverse = has(options, 'r') || keyOf.flags.includes('r');
  const plain = inOneAlphabet(lines) || (!options.values.has('k') && isOneOrder(lines));
  const keys = lines.map((line) => ({ line, key: keyOf.key(line) }));
  const compareKeys = numeric ? compareNumbers : version ? compareVersions : compareText;
  if (version && !lines.every((line) => /^[A-Za-z_/-]*\d+(\.\d+)*$/.test(line))) return undefined;
  if (version && new Set(lines.map((line) => line.replace(/[\d.]/g, ''))).size > 1) return undefined;
  // 1 and 01 are the same version; which one is kept depends on the line order.
  const numbers = version ? new Set(lines.map((line) => line.replace(/(?<!\d)0+(?=\d)/g, ''))) : undefined;
  if (numbers !== undefined && has(options, 'u') && numbers.size < new Set(lines).size) return undefined;
  if (!numeric && !version && !plain) return undefined;
  // Equal keys are ordered by the whole line, in locale order.
  let certain = true;
  const compared = [...keys].sort((a, b) => {
    const order = compareKeys(a.key, b.key);
    if (order !== 0) return reverse ? -order : order;
    if (a.line !== b.line && !plain && !has(options, 's') && !has(options, 'u')) certain = false;
    if (has(options, 's') || has(options, 'u')) return 0;
    return has(options, 'r') ? -compareText(a.line, b.line) : compareText(a.line, b.line);
  });
  if (!certain) return undefined;
  const kept = has(options, 'u')
    ? compared.filter((item, index) => {
        const before = compared[index - 1];
        return before === undefined || compareKeys(before.key, item.key) !== 0;
      })
    : compared;
  return {
    output: joinLines(
      kept.map(({ line }) => line),
      end,
    ),
    status: 0,
  };
};

/** Whether lines have only lower-case letters and digits, or only upper-case letters and digits: every locale sorts these the same way. */
function inOneAlphabet(lines: readonly string[]): boolean {
  return lines.every((line) => /^[a-z0-9]*$/.test(line)) || lines.every((line) => /^[A-Z0-9]*$/.test(line));
}

/** Whether every locale sorts lines the same way: each first differs from the next in lower-case letters or digits. */
function isOneOrder(lines: readonly string[]): boolean {
  const sorted = [...new Set(lines)].sort();
  return sorted.every((line, index) => index === 0 || follows(sorted[index - 1], line));
}

function compileKey(
  key: string | undefined,
  separator: string | undefined,
): { readonly flags: string; key(line: string): string } | undefined {
  if (key === undefined) return { flags: '', key: (line) => line };
  const parts = /^(\d+)([nrV]*)(?:,(\d+)([nrV]*))?$/.exec(key);
  if (parts === null || (separator !== undefined && separator.length !== 1)) return undefined;
  const [, first = '1', flags = '', last, lastFlags = ''] = parts;
  const from = Number(first);
  const to = last === undefined ? Number.POSITIVE_INFINITY : Number(last);
  if (from < 1 || to < from) return undefined;
  return {
    flags: flags + lastFlags,
    key: (line) => {
      const fields = separator === undefined ? (line.match(/[ \t]*[^ \t]+/g) ?? []) : line.split(separator);
      return fields.slice(from - 1, to).join(separator ?? '');
    },
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareNumbers(a: string, b: string): number {
  const [left = 0, right = 0] = [a, b].map((text) =>
    Number(/^[ \t]*(-?\d*\.?\d*)/.exec(text)?.[1]?.replace(/^-?\.?$/, '0') ?? '0'),
  );
  return left - right;
}

function compareVersions(a: string, b: string): number {
  const [left = [], right = []] = [a, b].map((text) =>
    text
      .replace(/^[A-Za-z_/-]*/, '')
      .split('.')
      .map(Number),
  );
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = (left[at] ?? -1) - (right[at] ?? -1);
    if (order !== 0) return order;
  }
  return compareText(a, b);
}

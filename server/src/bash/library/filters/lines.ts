import { isAscii } from '../quote.ts';
import {
  type Filter,
  type FilterContext,
  joinLines,
  parseCount,
  readOperands,
  splitLines,
  success,
} from './filter.ts';
import { has, lastValue, parseOptions } from './options.ts';

/** `cat FILE…`; no options. */
export const cat: Filter = (args, input, context) => {
  const options = parseOptions(args, { flags: 'u', valued: '' });
  const texts = options && readOperands(options.operands, input, context);
  return texts && success(texts.join(''));
};

/** `tee` passes its input on; what it writes to files is not kept. */
export const tee: Filter = (_args, input) => (input === undefined ? undefined : success(input));

/** `head -n N`, `-N`, `-n -N`, `-c N`. */
export const head: Filter = (args, input, context) => {
  const request = parseCountRequest(args, input, context);
  if (request === undefined || request.sign === '+') return undefined;
  const { pieces, sign, count } = request;
  return success(pieces.slice(0, sign === '-' ? Math.max(0, pieces.length - count) : count).join(''));
};

/** `tail -n N`, `-N`, `-n +N`, `-c N`. */
export const tail: Filter = (args, input, context) => {
  const request = parseCountRequest(args, input, context);
  if (request === undefined) return undefined;
  const { pieces, sign, count } = request;
  return success(
    pieces.slice(sign === '+' ? Math.max(0, count - 1) : Math.max(0, pieces.length - count)).join(''),
  );
};

/** The lines (or with `-c` the characters) of the one text that `head` or `tail` reads, and the requested count. */
function parseCountRequest(
  args: readonly string[],
  input: string | undefined,
  context: FilterContext,
): { readonly pieces: readonly string[]; readonly sign: string; readonly count: number } | undefined {
  const [first = '', ...rest] = args;
  const modern = /^-\d+$/.test(first) ? ['-n', first.slice(1), ...rest] : args;
  const options = parseOptions(modern, {
    flags: 'q',
    valued: 'nc',
    long: { lines: 'n', bytes: 'c', quiet: 'q' },
  });
  const texts = options && readOperands(options.operands, input, context);
  if (options === undefined || texts === undefined || texts.length !== 1) return undefined;
  const [text = ''] = texts;
  const bytes = lastValue(options, 'c');
  const [, sign = '', digits = ''] = /^([-+]?)(\d+)$/.exec(bytes ?? lastValue(options, 'n') ?? '10') ?? [];
  const count = parseCount(digits);
  if (count === undefined || (bytes !== undefined && (has(options, 'n') || !isAscii(text)))) return undefined;
  return { pieces: bytes === undefined ? linesWithEnds(text) : [...text], sign, count };
}

/** The lines with their newlines. */
function linesWithEnds(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** `wc -l`, `-w`, `-c` of one text: a single number. */
export const wc: Filter = (args, input, context) => {
  const options = parseOptions(args, {
    flags: 'lwcm',
    valued: '',
    long: { lines: 'l', words: 'w', bytes: 'c', chars: 'm' },
  });
  if (options === undefined || options.values.size !== 1) return undefined;
  const texts = readOperands(options.operands, input, context);
  const [text] = texts ?? [];
  if (text === undefined || texts?.length !== 1) return undefined;
  const name = options.operands[0] === undefined ? '' : ` ${options.operands[0]}`;
  if (has(options, 'l')) return success(`${text.split('\n').length - 1}${name}\n`);
  if (has(options, 'c')) return success(`${new TextEncoder().encode(text).length}${name}\n`);
  if (!isAscii(text)) return undefined;
  const count = has(options, 'w') ? (text.match(/[^ \t\n\r\f\v]+/g) ?? []).length : text.length;
  return success(`${count}${name}\n`);
};

/** `rev`: reverses the characters of each line. */
export const rev: Filter = (args, input, context) => {
  const texts = readOperands(args, input, context);
  if (texts === undefined || texts.length !== 1 || !isAscii(texts[0] ?? '')) return undefined;
  const { lines, closed } = splitLines(texts[0] ?? '');
  const out = lines.map((line) => [...line].reverse().join('')).join('\n');
  return success(lines.length > 0 && closed ? `${out}\n` : out);
};

/** `tac`: reverses the order of the lines. */
export const tac: Filter = (args, input, context) => {
  const texts = readOperands(args, input, context);
  const [text] = texts ?? [];
  if (text === undefined || texts?.length !== 1) return undefined;
  return success([...linesWithEnds(text)].reverse().join(''));
};

/** `uniq`, `-c`, `-d`, `-u`: merges equal adjacent lines. */
export const uniq: Filter = (args, input, context) => {
  const options = parseOptions(args, {
    flags: 'cdu',
    valued: '',
    long: { count: 'c', repeated: 'd', unique: 'u' },
  });
  if (options === undefined || options.operands.length > 1) return undefined;
  const texts = readOperands(options.operands, input, context);
  if (texts === undefined) return undefined;
  const groups: { readonly line: string; count: number }[] = [];
  for (const line of splitLines(texts[0] ?? '').lines) {
    const last = groups.at(-1);
    if (last?.line === line) last.count++;
    else groups.push({ line, count: 1 });
  }
  const kept = groups.filter(
    ({ count }) => (!has(options, 'd') || count > 1) && (!has(options, 'u') || count === 1),
  );
  return success(
    joinLines(
      kept.map(({ line, count }) => (has(options, 'c') ? `${String(count).padStart(7)} ${line}` : line)),
    ),
  );
};

/** `paste -s -d LIST`, and `paste -d LIST - -…`, join lines of one text; `paste FILE FILE…` joins those of several. */
export const paste: Filter = (args, input, context) => {
  const options = parseOptions(args, { flags: 's', valued: 'd', long: { serial: 's', delimiters: 'd' } });
  if (options === undefined) return undefined;
  const delimiters = lastValue(options, 'd') ?? '\t';
  if (delimiters.includes('\\') || delimiters === '') return undefined;
  const columns = options.operands.filter((operand) => operand === '-').length;
  const serial = has(options, 's');
  // What several columns take from standard input depends on the lines of the files between them.
  if (!serial && columns > 0 && columns !== options.operands.length) return undefined;
  const isOneText = columns > 0 && !serial;
  const texts = readOperands(isOneText ? ['-'] : options.operands, input, context);
  if (texts === undefined || (serial && texts.length !== 1)) return undefined;
  const { lines } = splitLines(texts[0] ?? '');
  const join = (items: readonly string[]): string =>
    items.reduce(
      (text, item, index) =>
        index === 0 ? item : text + delimiters.charAt((index - 1) % delimiters.length) + item,
      '',
    );
  if (serial) return success(`${join(lines)}\n`);
  if (!isOneText) {
    const files = texts.map((text) => splitLines(text).lines);
    const length = Math.max(...files.map((file) => file.length));
    const joined = Array.from({ length }, (_, row) => join(files.map((file) => file[row] ?? '')));
    return success(joinLines(joined));
  }
  const rows: string[] = [];
  for (let at = 0; at < lines.length; at += columns) {
    rows.push(join(Array.from({ length: columns }, (_, index) => lines[at + index] ?? '')));
  }
  return success(joinLines(rows));
};

/** `cut -d C -f LIST`, `cut -c LIST`. */
export const cut: Filter = (args, input, context) => {
  const options = parseOptions(args, {
    flags: 's!',
    valued: 'dfcb>',
    long: {
      // These have no short option.
      complement: '!',
      'output-delimiter': '>',
      delimiter: 'd',
      fields: 'f',
      characters: 'c',
      bytes: 'b',
      'only-delimited': 's',
    },
  });
  if (options === undefined) return undefined;
  const texts = readOperands(options.operands, input, context);
  const fields = lastValue(options, 'f');
  const columns = lastValue(options, 'c') ?? lastValue(options, 'b');
  const list = parseList(fields ?? columns ?? '');
  if (texts === undefined || list === undefined || (fields === undefined) === (columns === undefined))
    return undefined;
  const text = texts.join('');
  const others = has(options, '!');
  const picks = (position: number): boolean =>
    list.some(([low, high]) => position >= low && position <= high) !== others;
  const delimiter = lastValue(options, 'd') ?? '\t';
  const { lines } = splitLines(text);
  if (fields === undefined) {
    if (!isAscii(text) || ['d', 's', '>'].some((letter) => has(options, letter))) return undefined;
    return success(joinLines(lines.map((line) => [...line].filter((_, index) => picks(index + 1)).join(''))));
  }
  if (delimiter.length !== 1 || !isAscii(delimiter)) return undefined;
  const out: string[] = [];
  for (const line of lines) {
    if (!line.includes(delimiter)) {
      if (!has(options, 's')) out.push(line);
    } else
      out.push(
        line
          .split(delimiter)
          .filter((_, index) => picks(index + 1))
          .join(lastValue(options, '>') ?? delimiter),
      );
  }
  return success(joinLines(out));
};

function parseList(text: string): readonly (readonly [number, number])[] | undefined {
  const ranges: [number, number][] = [];
  for (const item of text.split(',')) {
    const parts = /^(\d*)(?:(-)(\d*))?$/.exec(item);
    if (parts === null || item === '' || item === '-') return undefined;
    const [, low = '', dash = '', high = ''] = parts;
    const from = low === '' ? 1 : Number(low);
    const to = dash === '' ? from : high === '' ? Number.POSITIVE_INFINITY : Number(high);
    if (from < 1 || to < from) return undefined;
    ranges.push([from, to]);
  }
  return ranges;
}

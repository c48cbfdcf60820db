import { decodeEscapes } from '../escapes.ts';
import { formatPrintf } from '../printf.ts';
import { type Filter, success } from './filter.ts';

/** Bash's `echo` (not `sh`'s): `-n`, `-e`, `-E`. */
export const echo: Filter = (args) => {
  let newline = true;
  let escapes = false;
  let at = 0;
  for (; /^-[neE]+$/.test(args[at] ?? ''); at++) {
    for (const flag of (args[at] ?? '').slice(1)) {
      if (flag === 'n') newline = false;
      else escapes = flag === 'e';
    }
  }
  const text = args.slice(at).join(' ');
  if (!escapes) return success(newline ? `${text}\n` : text);
  const decoded = decodeEscapes(text, 'echo');
  if (decoded === undefined) return undefined;
  return success(newline && !decoded.stopped ? `${decoded.text}\n` : decoded.text);
};

/** Bash's `printf`, without `-v`. */
export const printf: Filter = (args) => {
  const [format, ...rest] = args[0] === '--' ? args.slice(1) : args;
  return format === undefined || (args[0] !== '--' && format.startsWith('-'))
    ? undefined
    : formatPrintf(format, rest);
};

const mostNumbers = 100_000;

/** A text that no locale accepts as a number, not even as a hexadecimal or infinite one. */
const noNumber = /^(?!-)(?:|.*[ghjklmoqrsuvwz_=/:;].*)$/is;

/** `seq [FIRST [STEP]] LAST` with `-s`, `-w`, `-f`, over integers and short decimal fractions. */
export const seq: Filter = (args) => {
  const numbers: string[] = [];
  let separator = '\n';
  let equalWidth = false;
  let format: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '-w' || arg === '--equal-width') equalWidth = true;
    else if (arg === '-s') separator = args[++at] ?? '';
    else if (arg.startsWith('-s')) separator = arg.slice(2);
    else if (arg.startsWith('--separator=')) separator = arg.slice('--separator='.length);
    else if (arg === '-f') format = args[++at] ?? '';
    else if (arg.startsWith('-f')) format = arg.slice(2);
    else if (arg.startsWith('--format=')) format = arg.slice('--format='.length);
    else if (/^-?\d{1,12}(\.\d{1,3})?$/.test(arg)) numbers.push(arg);
    else return noNumber.test(arg) ? { output: '', status: 1 } : undefined;
  }
  if (numbers.length < 1 || numbers.length > 3 || separator.includes('\\')) return undefined;
  const [first = '1', step = '1', last = ''] =
    numbers.length === 1
      ? ['1', '1', numbers[0]]
      : numbers.length === 2
        ? [numbers[0], '1', numbers[1]]
        : numbers;
  const places = Math.max(...[first, step].map((number) => (number.split('.')[1] ?? '').length));
  const unit = 1000;
  const [from = 0, by = 0, to = 0] = [first, step, last].map((number) => Math.round(Number(number) * unit));
  if (by === 0 || (to - from) / by >= mostNumbers) return undefined;
  const out: string[] = [];
  for (let value = from; by > 0 ? value <= to : value >= to; value += by)
    out.push((value / unit).toFixed(places));
  if (out.some((text) => /^-0(\.0*)?$/.test(text))) return undefined;
  if (format !== undefined) {
    if (equalWidth || !/^[^%\\]*%0?\d{0,2}(?:\.\d{1,2})?[gf][^%\\]*$/.test(format)) return undefined;
    const texts: string[] = [];
    for (const number of out) {
      const formatted = formatPrintf(format, [number]);
      if (formatted === undefined) return undefined;
      texts.push(formatted.output);
    }
    return success(texts.length === 0 ? '' : `${texts.join(separator)}\n`);
  }
  if (equalWidth) {
    const isNegative = [first, last].some((number) => number.startsWith('-'));
    if ((isNegative && places > 0) || last.includes('.')) return undefined;
    const width = Math.max(
      ...[first, last].map((number) => Number(number).toFixed(places).length),
      first.length,
    );
    return success(out.length === 0 ? '' : `${out.map((text) => padded(text, width)).join(separator)}\n`);
  }
  return success(out.length === 0 ? '' : `${out.join(separator)}\n`);
};

/** A number padded with zeros after its sign. */
function padded(text: string, width: number): string {
  return text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0');
}

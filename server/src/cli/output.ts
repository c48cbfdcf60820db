import pc from 'picocolors';
import { inAscii } from '../report/ascii.ts';
import type { Palette } from '../report/palette.ts';

/** Where a command writes; tests collect it. */
export interface Output {
  readonly out: (text: string) => void;
  /** Writes a report for people to standard output: in ASCII if the terminal shows nothing else. */
  readonly show: (text: string) => void;
  /** Writes to standard error, also for people. */
  readonly err: (text: string) => void;
  /** Columns of the terminal. */
  readonly width: number;
  readonly colour: boolean;
}

/** Extra columns of a line that is cut at both ends when three dots replace the single character. */
const dotsOfCuts = 4;

/** Whether the locale uses UTF-8, by the variable that decides on characters (POSIX, “Environment Variables”). */
export function hasUtf8Locale(environment: NodeJS.ProcessEnv): boolean {
  const { LC_ALL, LC_CTYPE, LANG } = environment;
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}

/**
 * The process's own streams. Honours `--color` and `--no-color`, then NO_COLOR, FORCE_COLOR and whether standard output is a terminal; and
 * COLUMNS if no terminal reports a width. A terminal without a UTF-8 locale gets reports in ASCII; files and pipes, whose readers are unknown,
 * do not.
 */
export function processOutput(): Output {
  const { stdout, stderr, env, platform } = process;
  const isAsciiOnly = platform !== 'win32' && !hasUtf8Locale(env);
  const ascii = isAsciiOnly && stdout.isTTY === true;
  const out = (text: string): void => void stdout.write(text);
  return {
    out,
    show: ascii ? (text) => out(inAscii(text)) : out,
    err: (text) => void stderr.write(isAsciiOnly && stderr.isTTY === true ? inAscii(text) : text),
    width:
      Math.min(100, Math.max(40, stdout.columns || Number(env.COLUMNS) || 80)) - (ascii ? dotsOfCuts : 0),
    colour: wantsColour(),
  };
}

/** Whether the report is coloured. The last of the two flags wins, wherever it is. */
function wantsColour(): boolean {
  const flag = process.argv.findLast((word) => word === '--color' || word === '--no-color');
  if (flag !== undefined) return flag === '--color';
  const forced = process.env.FORCE_COLOR;
  return (
    forced !== '0' &&
    forced !== 'false' &&
    pc.isColorSupported &&
    (process.stdout.isTTY === true || forced !== undefined)
  );
}

/** Colours for a report. */
export function paletteOf(output: Output): Palette {
  const colours = pc.createColors(output.colour);
  return {
    bold: colours.bold,
    dim: colours.dim,
    red: colours.red,
    yellow: colours.yellow,
    // Plain blue is hard to read on black in many terminals.
    blue: colours.blueBright,
    green: colours.green,
    cyan: colours.cyan,
  };
}

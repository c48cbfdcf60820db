import pc from 'picocolors';
import type { Palette } from '../report/palette.ts';

/** Where a command writes; tests collect it. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Columns of the terminal. */
  readonly width: number;
  readonly colour: boolean;
}

/**
 * The process's own streams. Honours `--color` and `--no-color`, then NO_COLOR, FORCE_COLOR and whether standard output is a terminal; and COLUMNS where there
 * is no terminal that has a width.
 */
export function processOutput(): Output {
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    width: Math.min(100, Math.max(40, process.stdout.columns || Number(process.env.COLUMNS) || 80)),
    colour: wantsColour(),
  };
}

/** Whether the report is coloured. The last of the two flags counts, wherever it stands. */
function wantsColour(): boolean {
  const flag = process.argv.findLast((word) => word === '--color' || word === '--no-color');
  if (flag !== undefined) return flag === '--color';
  const forced = process.env.FORCE_COLOR;
  return forced !== '0' && pc.isColorSupported && (process.stdout.isTTY === true || forced !== undefined);
}

/** Colours for a report. */
export function paletteOf(output: Output): Palette {
  const colours = pc.createColors(output.colour);
  return {
    bold: colours.bold,
    dim: colours.dim,
    red: colours.red,
    yellow: colours.yellow,
    blue: colours.blue,
    green: colours.green,
    cyan: colours.cyan,
  };
}

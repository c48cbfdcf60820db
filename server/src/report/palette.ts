/** Colours of a terminal report; the front end decides whether they have any effect. */
export interface Palette {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly blue: (text: string) => string;
  readonly green: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const plain = (text: string): string => text;

/** A palette without colours. */
export const noColours: Palette = {
  bold: plain,
  dim: plain,
  red: plain,
  yellow: plain,
  blue: plain,
  green: plain,
  cyan: plain,
};

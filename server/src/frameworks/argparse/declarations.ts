/** The text after each flag that a Python source declares with argparse, up to the next declaration. */
export function declarationsIn(source: string): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  for (const part of source.split(/\b(?:add_argument|reset_arg)\(/).slice(1)) {
    const [whole, flag] = /^\s*(?:parser\s*,\s*)?["'](--[a-z][\w-]*)["']/.exec(part) ?? [];
    if (whole !== undefined && flag !== undefined) out.set(flag, part.slice(whole.length));
  }
  return out;
}

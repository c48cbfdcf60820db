import type { YamlNode } from '../yaml/document.ts';

/** How many characters before a value are searched for its anchor: a tag and a comment may be in between. */
const anchorReach = 400;

/** The name of the anchor by which aliases repeat a node; undefined if none does. */
export function repeatedAs(text: string, { place }: YamlNode): string | undefined {
  const { start } = place.span;
  const name = /(?:^|[\s,[{])&([^\s,[\]{}]+)(?:\s+![^\s,[\]{}]*)?\s(?:\s|#[^\n]*\n)*$/.exec(
    text.slice(Math.max(0, start - anchorReach), start),
  )?.[1];
  if (name === undefined) return undefined;
  for (let at = text.indexOf(`*${name}`); at >= 0; at = text.indexOf(`*${name}`, at + 1))
    if (/[\s,[{]/.test(text.charAt(at - 1)) && /^(?:[\s,\]}]|$)/.test(text.charAt(at + 1 + name.length)))
      return name;
  return undefined;
}

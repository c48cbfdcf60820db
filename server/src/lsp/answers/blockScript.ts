/** A line that starts a block scalar: dashes of list items, an optional key, and `|` or `>`. */
const header = /^( *(?:- +)*)([^\s#-][^#]*:[ \t]+)?(?:[&!]\S+[ \t]+)*[|>][-+\d]*[ \t\r]*(?:#.*)?$/;

/**
 * The script of the YAML block (`run: |`) at an offset: the text with everything outside the block replaced by blanks, which keeps offsets.
 * Blocks are found by indentation, so it works in a text that is being typed and does not parse.
 * @returns undefined outside such blocks
 */
export function blockScriptAt(text: string, offset: number): string | undefined {
  const lines = text.split('\n');
  const here = text.slice(0, offset).split('\n').length - 1;
  const block = blockOf(lines, here);
  if (block === undefined) return undefined;
  const after = lines.findIndex((line, at) => at > here && indentOf(line) <= block.indent);
  const end = after === -1 ? lines.length : after;
  const isOfBlock = (at: number): boolean => at >= block.first && at < end;
  return lines.map((line, at) => (isOfBlock(at) ? line : ' '.repeat(line.length))).join('\n');
}

/** The block of a line: its first line, and the indentation that all of its lines exceed. */
function blockOf(
  lines: readonly string[],
  here: number,
): { readonly first: number; readonly indent: number } | undefined {
  let least = indentOf(lines[here] ?? '');
  for (let at = here - 1; at >= 0 && least > 0; at--) {
    const line = lines[at] ?? '';
    const indent = indentOfBlock(line);
    if (indent !== undefined && indent < least) return { first: at + 1, indent };
    least = Math.min(least, indentOf(line));
  }
  return undefined;
}

/** The column of the key, or else the dash, for which a line starts a block; undefined for any other line. */
function indentOfBlock(line: string): number | undefined {
  const [, before = '', key] = header.exec(line) ?? [];
  if (key !== undefined) return before.length;
  const dash = before.lastIndexOf('-');
  return dash === -1 ? undefined : dash;
}

/** The indentation of a line; infinite for an empty line, which belongs to any block. */
function indentOf(line: string): number {
  const indent = line.search(/[^ \r]/);
  return indent === -1 ? Number.POSITIVE_INFINITY : indent;
}

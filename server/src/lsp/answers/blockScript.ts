/** A line that begins a block of text: dashes of elements, a key where there is one, and `|` or `>`. */
const header = /^( *(?:- +)*)([^\s#-][^#]*:[ \t]+)?(?:[&!]\S+[ \t]+)*[|>][-+\d]*[ \t\r]*(?:#.*)?$/;

/**
 * The script of a YAML block (`run: |`) that an offset stands in: the text with blanks for all that is not of the block, so that
 * offsets stay. Blocks are found by indentation, so that it works in a text that is being typed and does not parse.
 * @returns undefined outside of such blocks
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

/** The block that a line is of: its first line, and the indentation that all of its lines exceed. */
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

/** The column of the key or, without one, the dash that a line begins a block for; undefined for any other line. */
function indentOfBlock(line: string): number | undefined {
  const [, before = '', key] = header.exec(line) ?? [];
  if (key !== undefined) return before.length;
  const dash = before.lastIndexOf('-');
  return dash === -1 ? undefined : dash;
}

/** How far a line is indented; endlessly for an empty one, which is of any block. */
function indentOf(line: string): number {
  const indent = line.search(/[^ \r]/);
  return indent === -1 ? Number.POSITIVE_INFINITY : indent;
}

/** `printf %q`: the text with backslashes so that Bash reads it back as one word. Undefined for characters whose quoting depends on the locale. */
export function quoteForPrintf(text: string): string | undefined {
  if (text === '') return "''";
  if (!isAscii(text)) return undefined;
  if (hasControlCharacter(text)) return quoteAnsi(text);
  return text
    .replace(/[ '"!$&()*,;<>?[\\\]^`{|}]/g, '\\$&')
    .replace(/^#/, '\\#')
    .replace(/(^|[:=])~/g, '$1\\~');
}

/** `${x@Q}`: the text in single quotes, or in `$'..'` if it contains control characters. */
export function quoteForReuse(text: string): string | undefined {
  if (!isAscii(text)) return undefined;
  if (hasControlCharacter(text)) return quoteAnsi(text);
  return text === "'" ? "\\'" : `'${text.replaceAll("'", "'\\''")}'`;
}

/** `declare -p`: the text in double quotes. Undefined for characters that Bash writes in another way. */
export function quoteForDeclare(text: string): string | undefined {
  if (!isAscii(text) || hasControlCharacter(text)) return undefined;
  return `"${text.replace(/["$\\`]/g, '\\$&')}"`;
}

/** Whether all characters are ASCII, so that bytes, characters and the locale make no difference. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function quoteAnsi(text: string): string {
  const named: ReadonlyMap<string, string> = new Map([
    ['\x1b', '\\E'],
    ['\x07', '\\a'],
    ['\v', '\\v'],
    ['\b', '\\b'],
    ['\f', '\\f'],
    ['\n', '\\n'],
    ['\r', '\\r'],
    ['\t', '\\t'],
    ['\\', '\\\\'],
    ["'", "\\'"],
  ]);
  let out = '';
  for (const char of text) {
    const code = char.charCodeAt(0);
    const octal = code < 0x20 || code === 0x7f ? `\\${code.toString(8).padStart(3, '0')}` : char;
    out += named.get(char) ?? octal;
  }
  return `$'${out}'`;
}

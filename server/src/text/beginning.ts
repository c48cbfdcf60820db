/** The start of a text, with a maximum number of UTF-16 units; surrogate pairs are not split. */
export function beginning(text: string, units: number): string {
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? units - 1 : units);
}

/** The rest of a text from an offset, or from the next one if the offset is inside a surrogate pair. */
export function restFrom(text: string, from: number): string {
  const first = text.charCodeAt(from);
  return text.slice(first >= 0xdc00 && first < 0xe000 ? from + 1 : from);
}

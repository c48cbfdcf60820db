/** A value that is refused as a message shows it: one whose blanks would be read as the message's own stands in quotes, unless it brings quotes or brackets. */
export function refusedText(text: string): string {
  if (text === '') return 'an empty text';
  return /^[^"'[{(].*\s|^\s/s.test(text) ? `“${text}”` : text;
}

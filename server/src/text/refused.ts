/**
 * A rejected value as shown in a message: quoted if its blanks would look like those of the message, unless it has quotes or brackets of its
 * own.
 */
export function refusedText(text: string): string {
  if (text === '') return 'an empty text';
  return /^[^"'[{(].*\s|^\s/s.test(text) ? `“${text}”` : text;
}

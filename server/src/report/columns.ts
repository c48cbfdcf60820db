import { eastAsianWidth } from 'get-east-asian-width';

/** Terminal columns of a text: Chinese characters and emoji take two, combining marks none. */
export function columnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text)
    if (!/^(?:\p{M}|\p{Cf})$/u.test(character)) columns += eastAsianWidth(character.codePointAt(0) ?? 0);
  return columns;
}

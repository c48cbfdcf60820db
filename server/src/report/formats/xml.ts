/** A text as XML content or attribute value: markup escaped, characters that XML 1.0 forbids replaced. */
export function xml(text: string): string {
  let out = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (character === '&') out += '&amp;';
    else if (character === '<') out += '&lt;';
    else if (character === '>') out += '&gt;';
    else if (character === '"') out += '&quot;';
    else if (code === 9 || code === 10 || code === 13) out += `&#${code};`;
    else
      out +=
        code < 0x20 || (code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff
          ? '\ufffd'
          : character;
  }
  return out;
}

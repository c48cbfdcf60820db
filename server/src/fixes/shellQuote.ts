/** How the characters at a place of a shell text are quoted. */
export type Quoting = 'bare' | 'double' | 'single' | 'here-document' | 'operand';

const safe = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** Whether a text is literal wherever and however often a shell reads it. */
export function isPlain(text: string): boolean {
  return safe.test(text);
}

/** A text as one word of a command. */
export function shellWord(text: string): string {
  return safe.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text for a place with this quoting; undefined if it cannot be written there. */
export function quotedFor(text: string, quoting: Quoting): string | undefined {
  if (safe.test(text)) return text;
  switch (quoting) {
    case 'bare':
      return shellWord(text);
    case 'double':
      return /[!\n]/.test(text) ? undefined : text.replaceAll(/[\\"$`]/g, '\\$&');
    case 'single':
      return text.includes("'") ? undefined : text;
    case 'here-document':
    case 'operand':
      return undefined;
  }
}

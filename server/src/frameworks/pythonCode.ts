const parts = /("""[\s\S]*?"""|'''[\s\S]*?''')|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(#[^\n]*)/g;

/** The code of a Python source: without comments and without triple-quoted strings, which are mostly documentation. */
export function codeOf(source: string): string {
  return source.replace(parts, (all: string, text?: string, comment?: string) =>
    text !== undefined ? '""' : comment !== undefined ? '' : all,
  );
}

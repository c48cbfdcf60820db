const parts = /("""[\s\S]*?"""|'''[\s\S]*?''')|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(#[^\n]*)/g;

/** What of a Python source is code: without comments, and without texts in three quotes, which are mostly documentation. */
export function codeOf(source: string): string {
  return source.replace(parts, (all: string, text?: string, comment?: string) =>
    text !== undefined ? '""' : comment !== undefined ? '' : all,
  );
}

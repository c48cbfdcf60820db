/**
 * A shell text with blanks in place of what looks like its comments, so that what stands behind keeps its place. A `#` behind a blank within quotes
 * counts as one too.
 */
export function withoutComments(text: string): string {
  return text.replace(/(?<=^|[ \t])#.*$/gm, (comment) => ' '.repeat(comment.length));
}

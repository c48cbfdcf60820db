/**
 * A shell text with blanks in place of what looks like its comments, so that offsets stay the same. A `#` after a blank within quotes counts as
 * a comment too.
 */
export function withoutComments(text: string): string {
  return text.replace(/(?<=^|[ \t])#.*$/gm, (comment) => ' '.repeat(comment.length));
}

/** A word of a `#SBATCH` line, without its quotes. */
interface DirectiveWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A `#SBATCH` line that sbatch reads. */
export interface DirectiveLine {
  readonly start: number;
  readonly end: number;
  readonly words: readonly DirectiveWord[];
}

/** The start of the line with a script's first command: sbatch reads no directive after it. */
export function endOfHead(text: string): number {
  let at = 0;
  for (const line of text.split('\n')) {
    if (/^\s*[^#\s]/.test(line)) return at;
    at += line.length + 1;
  }
  return text.length;
}

/** The `#SBATCH` lines at the head of a script. */
export function directiveLines(text: string): readonly DirectiveLine[] {
  if (!text.includes('#SBATCH')) return [];
  const out: DirectiveLine[] = [];
  for (const { 0: line, 1: lead = '', index } of text
    .slice(0, endOfHead(text))
    .matchAll(/^(#SBATCH[^\S\n]+)[^\n]*/gm)) {
    const body = line.slice(lead.length).replace(/\s#.*$/, '');
    const words = [...body.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map((word) => {
      const start = index + lead.length + word.index;
      const unquoted = word[0].replace(/"([^"]*)"|'([^']*)'/g, '$1$2');
      return { text: unquoted, start, end: start + word[0].length };
    });
    out.push({ start: index, end: index + line.replace(/\r$/, '').length, words });
  }
  return out;
}

/** Splits arguments as a person would lay them out: a flag with its values per line. */
export function argumentLines(args: string): string[] {
  const words = args.match(/(?:[^\s"']+|"(?:[^"\\]|\\.)*"|'[^']*')+/g) ?? [];
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.length - 1;
    if (last >= 0 && !/^--?[a-zA-Z]/.test(word) && /^--?[a-zA-Z]/.test(lines[last] ?? ''))
      lines[last] = `${lines[last]} ${word}`;
    else lines.push(word);
  }
  return lines;
}

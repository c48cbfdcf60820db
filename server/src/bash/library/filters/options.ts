/** Options and operands of a command. */
export interface ParsedOptions {
  /** Values by option letter in the order given; a flag has one empty value per occurrence. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
}

/**
 * Splits arguments as `getopt_long` does for GNU tools: `flags` and `valued` are letters, `long` maps names to them. Undefined for an unlisted
 * option.
 */
export function parseOptions(
  args: readonly string[],
  spec: {
    readonly flags: string;
    readonly valued: string;
    readonly long?: { readonly [name: string]: string };
  },
): ParsedOptions | undefined {
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  const give = (letter: string, value: string): void => {
    const before = values.get(letter);
    if (before === undefined) values.set(letter, [value]);
    else before.push(value);
  };
  let at = 0;
  while (at < args.length) {
    const arg = args[at] ?? '';
    at += 1;
    if (arg === '--') {
      operands.push(...args.slice(at));
      break;
    }
    if (arg.startsWith('--')) {
      const [name = '', ...rest] = arg.slice(2).split('=');
      const letter = spec.long?.[name];
      if (letter === undefined) return undefined;
      if (spec.valued.includes(letter)) {
        const value = rest.length > 0 ? rest.join('=') : args[at++];
        if (value === undefined) return undefined;
        give(letter, value);
      } else if (rest.length === 0) give(letter, '');
      else return undefined;
      continue;
    }
    if (!arg.startsWith('-') || arg === '-') {
      operands.push(arg);
      continue;
    }
    for (let index = 1; index < arg.length; index++) {
      const letter = arg.charAt(index);
      if (spec.flags.includes(letter)) give(letter, '');
      else if (spec.valued.includes(letter)) {
        const value = index + 1 < arg.length ? arg.slice(index + 1) : args[at++];
        if (value === undefined) return undefined;
        give(letter, value);
        break;
      } else return undefined;
    }
  }
  return { values, operands };
}

/** Whether one of the flags was given. */
export function has(options: ParsedOptions, letter: string): boolean {
  return options.values.has(letter);
}

/** The last value given to an option. */
export function lastValue(options: ParsedOptions, letter: string): string | undefined {
  return options.values.get(letter)?.at(-1);
}

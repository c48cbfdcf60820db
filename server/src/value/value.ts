/** Why something cannot be known without running it. */
export type Reason =
  | 'environment' // read from the shell's environment, which the text does not set
  | 'positional' // `$1`, `$@` with something behind it
  | 'command-output' // `$(nvidia-smi …)`
  | 'random' // clock, process id, `$RANDOM`: a different text each time
  | 'branch' // differs between paths that were joined
  | 'file-not-found' // comes from a file that the workspace does not hold
  | 'loop' // differs between rounds of a loop that cannot be counted
  | 'interpolation' // a YAML resolver such as `${oc.env:X}`
  | 'version' // depends on an installed version
  | 'outside' // decided by something that is not in the files: data, checkpoint, machine
  | 'too-complex'; // over a budget, or a construct that is not evaluated

/** Plain data as settings hold it. `null` is Python's None: known to be not set. */
export type Data = string | number | boolean | null | readonly Data[] | { readonly [key: string]: Data };

/** What a setting holds: plain data, or the knowledge that it cannot be known here. */
export type Value =
  | { readonly kind: 'known'; readonly data: Data }
  | { readonly kind: 'unknown'; readonly reason: Reason; readonly label: string };

/** A known value. */
export function known(data: Data): Value {
  return { kind: 'known', data };
}

/** An unknown value; `label` is the shortest text that names it to a person (`$1`, `$(hostname)`). */
export function unknown(reason: Reason, label: string): Value {
  return { kind: 'unknown', reason, label };
}

/** Whether two values are written alike: numbers are no truth values, and keys of maps stand in one order. */
export function sameData(a: Data, b: Data): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A value as people write it: a text as it is, all else as JSON. */
export function textOfData(data: Data): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}

/** A value as the words behind a flag give it: the elements of a list, with blanks between them. */
export function wordsOfData(data: Data): string {
  const isPlain = (element: Data): boolean => typeof element !== 'object' && element !== '';
  return Array.isArray(data) && data.length > 0 && data.every(isPlain)
    ? data.map(textOfData).join(' ')
    : textOfData(data);
}

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

/** Plain data as contained in settings. `null` is Python's None: known to be unset. */
export type Data = string | number | boolean | null | readonly Data[] | { readonly [key: string]: Data };

/** The value of a setting: plain data, or known to be unknown here. */
export type Value =
  | { readonly kind: 'known'; readonly data: Data }
  | { readonly kind: 'unknown'; readonly reason: Reason; readonly label: string };

/** A known value. */
export function known(data: Data): Value {
  return { kind: 'known', data };
}

/** An unknown value; `label` is the shortest text that identifies it to people (`$1`, `$(hostname)`). */
export function unknown(reason: Reason, label: string): Value {
  return { kind: 'unknown', reason, label };
}

/** Whether two values are written the same: numbers are no booleans, and the order of map keys matters. */
export function sameData(a: Data, b: Data): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A value as people write it: a text as it is, anything else as JSON. */
export function textOfData(data: Data): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}

/** A value as the words after a flag: the elements of a list, separated by blanks. */
export function wordsOfData(data: Data): string {
  const isPlain = (element: Data): boolean => typeof element !== 'object' && element !== '';
  return Array.isArray(data) && data.length > 0 && data.every(isPlain)
    ? data.map(textOfData).join(' ')
    : textOfData(data);
}

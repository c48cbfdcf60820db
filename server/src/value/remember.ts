/**
 * A function that works out its answer once for each argument and remembers it for as long as the argument lives. For what is
 * derived from knowledge, which never changes: indexes of options, sets of constraints.
 */
export function remembering<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, { readonly value: Made }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

/** The same for functions of an object and a text; there should be few texts. */
export function rememberingBy<Key extends object, Made>(
  make: (key: Key, text: string) => Made,
): (key: Key, text: string) => Made {
  const tables = remembering((_: Key) => new Map<string, Made>());
  return (key, text) => {
    const table = tables(key);
    const known = table.get(text);
    if (known !== undefined) return known;
    const value = make(key, text);
    table.set(text, value);
    return value;
  };
}

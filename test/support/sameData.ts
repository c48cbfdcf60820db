/**
 * Numbers data so that two values have the same number exactly if they hold the same. Parts that a value holds many times are visited once:
 * written out, they may be endless.
 */
export function numberedData(): (value: unknown) => number {
  const numbers = new Map<string, number>();
  const known = new WeakMap<object, number>();
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const of = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return numberOf(`${typeof value} ${String(value)}`);
    const before = known.get(value);
    if (before !== undefined) return before;
    const number = numberOf(parts(value));
    known.set(value, number);
    return number;
  };
  const parts = (value: object): string => {
    if (Array.isArray(value)) return `list ${value.map(of).join(' ')}`;
    if (value instanceof Map) return `map ${[...value].map((entry) => entry.map(of).join('=')).join(' ')}`;
    if (value instanceof Set) return `set ${[...value].map(of).join(' ')}`;
    const entries = Object.entries(value).filter(([, part]) => part !== undefined);
    return `record ${entries
      .map(([name, part]) => `${name}=${of(part)}`)
      .sort()
      .join(' ')}`;
  };
  return of;
}

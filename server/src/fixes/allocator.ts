/** Splits `a:1,b:[c:2,d:3]` at the commas that are not in brackets. */
function elementsOf(text: string): readonly string[] {
  const elements: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '[') depth += 1;
    else if (text[at] === ']') depth -= 1;
    else if (text[at] === ',' && depth === 0) {
      elements.push(text.slice(from, at));
      from = at + 1;
    }
  }
  elements.push(text.slice(from));
  return elements.filter((element) => element.trim() !== '');
}

function keyOf(element: string): string {
  return (element.split(':', 1)[0] ?? '').trim();
}

/** Whether an allocator setting contains a key. */
export function hasAllocatorKey(text: string, key: string): boolean {
  return elementsOf(text).some((element) => keyOf(element) === key);
}

/**
 * PyTorch's allocator setting (`expandable_segments:True,max_split_size_mb:128`) with one key set, or removed with null.
 * @returns an empty string if nothing is left
 */
export function withAllocatorKey(text: string, key: string, value: string | null): string {
  const elements = elementsOf(text);
  const kept = elements.filter((element) => keyOf(element) !== key);
  if (value === null) return kept.join(',');
  const at = elements.findIndex((element) => keyOf(element) === key);
  const element = `${key}:${value}`;
  if (at === -1) return [...elements, element].join(',');
  return elements
    .flatMap((old, index) => (keyOf(old) !== key ? [old] : index === at ? [element] : []))
    .join(',');
}

/** The position of an offset in a YAML text. */
export interface YamlPosition {
  /** Keys above it, outermost first. */
  readonly parents: readonly string[];
  /** The key whose value is being typed, or undefined if a key is being typed. */
  readonly key: string | undefined;
  /** What has been typed of the key or value. */
  readonly word: string;
  /** Keys next to it. */
  readonly siblings: readonly string[];
}

const keyLine = /^(\s*)(?:-\s+)?(["']?)([\w.-]+)\2\s*:(?:\s|$)/;

/** Finds the keys above an offset by indentation, so it works in a text that is being typed and does not parse. */
export function yamlPathAt(text: string, offset: number): YamlPosition | undefined {
  const lines = text.slice(0, offset).split('\n');
  const current = lines[lines.length - 1] ?? '';
  if (current.trimStart().startsWith('#')) return undefined;
  const value = /^(\s*)([\w.-]+)\s*:\s+["']?([^\s"'#]*)$/.exec(current);
  const key = /^(\s*)([\w.-]*)$/.exec(current);
  const indent = (value?.[1] ?? key?.[1])?.length;
  if (indent === undefined) return undefined;
  const parents: string[] = [];
  const siblings: string[] = [];
  let level = indent;
  for (let at = lines.length - 2; at >= 0; at--) {
    const match = keyLine.exec(lines[at] ?? '');
    if (match === null) continue;
    const depth = match[1]?.length ?? 0;
    const name = match[3] ?? '';
    if (depth === indent && level === indent) siblings.push(name);
    if (depth >= level) continue;
    parents.unshift(name);
    level = depth;
    if (level === 0) break;
  }
  for (const line of text.slice(offset).split('\n').slice(1)) {
    const match = keyLine.exec(line);
    if (match === null) continue;
    const depth = match[1]?.length ?? 0;
    if (depth < indent) break;
    if (depth === indent) siblings.push(match[3] ?? '');
  }
  return { parents, key: value?.[2], word: value?.[3] ?? key?.[2] ?? '', siblings };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Knowledge } from '../../server/src/frameworks/knowledge.ts';

interface Branches {
  readonly next: Map<string, Branches>;
  ends: boolean;
}

const quoted = (character: string): string => character.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

function patternOf(branches: Branches): string {
  const ways = [...branches.next].map(([character, rest]) => quoted(character) + patternOf(rest));
  const [only = ''] = ways;
  if (ways.length === 0) return '';
  const all = ways.length === 1 && !branches.ends ? only : `(?:${ways.join('|')})`;
  return branches.ends ? `${all}?` : all;
}

/** One regular expression for a set of words, with common prefixes factored out, so that matching does not try each word. */
export function wordsPattern(words: Iterable<string>): string {
  const root: Branches = { next: new Map(), ends: false };
  for (const word of [...new Set(words)].sort()) {
    let at = root;
    for (const character of word) {
      const next = at.next.get(character) ?? { next: new Map(), ends: false };
      at.next.set(character, next);
      at = next;
    }
    at.ends = true;
  }
  return patternOf(root);
}

/** Keys that other YAML files and scripts use as well; highlighting them there would be noise. */
const commonplace = new Set([
  'name',
  'path',
  'type',
  'model',
  'seed',
  'mode',
  'enabled',
  'enable',
  'size',
  'args',
  'config',
]);

/** The highlighted words: options that affect memory or whether a launch is rejected (described by us, or in a constraint). */
function grammarWords(all: readonly Knowledge[]): { readonly [name: string]: ReadonlySet<string> } {
  const flags = new Set<string>();
  const keys = new Set<string>();
  const roots = new Set<string>();
  const environment = new Set<string>();
  for (const { options, constraints } of all) {
    const named = new Set(JSON.stringify(constraints).match(/[A-Za-z_][\w.]*/g) ?? []);
    for (const word of named) if (/^env\.[A-Z][A-Z0-9_]+$/.test(word)) environment.add(word.slice(4));
    for (const { name, flags: spellings, describe, type } of options) {
      if ((describe === undefined && !named.has(name)) || type === 'group') continue;
      for (const flag of spellings ?? []) if (flag.startsWith('--')) flags.add(flag.slice(2));
      const parts = name.split('.');
      const key = parts.at(-1);
      if (parts.length < 2 || key === undefined || commonplace.has(key)) continue;
      keys.add(key);
      roots.add(parts[0] ?? '');
    }
  }
  return { flags, keys, roots, environment };
}

/**
 * The injection grammars of syntaxes/ with the words of the knowledge filled in.
 * @returns the texts by file name
 */
export function grammars(folder: string, all: readonly Knowledge[]): ReadonlyMap<string, string> {
  const words = grammarWords(all);
  const out = new Map<string, string>();
  for (const file of ['shell.json', 'yaml.json']) {
    const text = readFileSync(join(folder, file), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
      JSON.stringify(wordsPattern(words[name] ?? [])).slice(1, -1),
    );
    out.set(file.replace('.json', '.tmLanguage.json'), JSON.stringify(JSON.parse(text)));
  }
  return out;
}

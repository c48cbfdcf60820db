import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type ParsedNode,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Data } from '../../value/value.ts';
import { composeDocuments } from '../../yaml/composer.ts';
import { readTokens } from '../../yaml/tokens.ts';
import { plainYamlScalar, type TypedData } from './scalar.ts';

/** A text that PyYAML would reject, with a short reason. */
export interface YamlRefusal {
  readonly refused: string;
}

/** Characters of which a text may consist in any order and certainly be one plain scalar on one line. */
const plainText = /^[A-Za-z0-9_./+~][A-Za-z0-9_./+~=@%*!$()^;-]*$/;
const plainNumber = /^-?[A-Za-z0-9_./+][A-Za-z0-9_./+-]*$/;

/** Quoted scalars in positions where quotes may begin. */
const quotations = /(?<=^|[\s,[{:])(?:'(?:[^']|'')*'|"(?:[^"\\]|\\.)*")/g;

/**
 * What OmegaConf makes of the text after `key=`: PyYAML (YAML 1.1) with OmegaConf's loader.
 * @returns the data with its Python type, or why the text is rejected.
 */
export function parseYamlValue(text: string): TypedData | YamlRefusal {
  if (/^\s*\.\.\.(?:\s|$)/.test(text)) return { refused: 'three dots end a document' };
  if (text === '' || plainText.test(text) || plainNumber.test(text)) return plainYamlScalar(text);
  const indicator = /^\s*([@%`])/.exec(text)?.[1];
  if (indicator !== undefined) return { refused: `a value cannot start with ${indicator}` };
  const bare = text.replace(quotations, '""');
  if (bare.includes('\t')) return { refused: 'a tab outside quotes' };
  if (/^\s*(?:=|<<)\s*$/.test(bare)) return { refused: `no constructor for ${bare.trim()}` };
  if (/^\s*[[{]/.test(bare) && /[^\s,[{]\?/.test(bare))
    return { refused: 'a “?” inside a list or map needs quotes' };
  const { tokens, deep } = readTokens(text);
  if (deep !== undefined) return { refused: 'it is nested too deeply' };
  const [document, ...others] = composeDocuments(tokens, text.length, { uniqueKeys: true, version: '1.1' });
  const error = document?.errors[0];
  if (error !== undefined) return { refused: startingSmall(error.message) };
  if (others.length > 0) return { refused: 'there is more than one document in it' };
  return dataOf(document?.contents ?? null);
}

const coreTag = 'tag:yaml.org,2002:';

/** Whether {@link parseYamlValue} rejected the text. */
export function isRefused(value: TypedData | YamlRefusal): value is YamlRefusal {
  return 'refused' in value;
}

function startingSmall(message: string): string {
  return message.replace(/^./, (first) => first.toLowerCase());
}

function dataOf(node: ParsedNode | Node | null): TypedData | YamlRefusal {
  if (node === null) return { data: null, type: 'null' };
  if (isAlias(node)) return { refused: `found an undefined alias *${node.source}` };
  if (isScalar(node)) return scalarOf(node);
  if (isSeq(node)) return listOf(node);
  if (isMap(node)) return mapOf(node);
  return { refused: 'not understood' };
}

function scalarOf({ tag, value, source, type }: Scalar): TypedData | YamlRefusal {
  if (tag?.startsWith('!') === true && tag !== '!') return { refused: `no constructor for the tag ${tag}` };
  const text = typeof value === 'string' ? value : (source ?? '');
  const tagged =
    tag?.startsWith(coreTag) === true ? taggedScalar(tag.slice(coreTag.length), text) : undefined;
  if (tagged !== undefined) return tagged;
  return type === Scalar.PLAIN || type === undefined ? plainYamlScalar(text) : { data: text, type: 'str' };
}

function listOf({ items }: YAMLSeq): TypedData | YamlRefusal {
  const data: Data[] = [];
  for (const item of items) {
    const value = dataOf(asNode(item));
    if (isRefused(value)) return value;
    data.push(value.data);
  }
  return { data, type: 'list' };
}

function mapOf({ items }: YAMLMap): TypedData | YamlRefusal {
  const entries: [string, Data][] = [];
  for (const pair of items) {
    const key = dataOf(asNode(pair.key));
    if (isRefused(key)) return key;
    if (key.type === 'list' || key.type === 'dict') return { refused: 'found an unhashable key' };
    if (key.type === 'null') return { refused: 'OmegaConf takes no key that is null' };
    const value = dataOf(asNode(pair.value));
    if (isRefused(value)) return value;
    entries.push([String(key.data), value.data]);
  }
  return { data: Object.fromEntries(entries), type: 'dict' };
}

/** A scalar tagged with `!!str`, `!!int` and the like; undefined for tags that leave it unchanged. */
function taggedScalar(tag: string, text: string): TypedData | YamlRefusal | undefined {
  if (tag === 'str') return { data: text, type: 'str' };
  if (!['bool', 'float', 'int', 'null'].includes(tag)) return undefined;
  const plain = plainYamlScalar(text);
  if (plain.type === tag || tag === 'null') return tag === 'null' ? { data: null, type: 'null' } : plain;
  return tag === 'float' && plain.type === 'int'
    ? { data: plain.data, type: 'float' }
    : { refused: `“${text}” is no !!${tag}` };
}

function asNode(item: unknown): Node | null {
  return isScalar(item) || isSeq(item) || isMap(item) || isAlias(item) ? item : null;
}

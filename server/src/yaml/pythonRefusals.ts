import type { Span } from '../text/span.ts';
import type { YamlNode, YamlProblem } from './document.ts';

/** Those of YAML's own tags that PyYAML's loaders construct; Python's tags depend on the loader. */
const constructed =
  /^(?:!|tag:yaml\.org,2002:(?:null|bool|int|float|binary|timestamp|omap|pairs|set|str|seq|map|python\/.*))$/;

/**
 * Why PyYAML refuses a text that YAML allows: a question mark within brackets begins a key (`fetch_key` of its scanner), and a bare `=` or `<<`
 * has no constructor.
 *
 * @param isWithinBrackets whether it is in `[…]` or `{…}`
 */
export function refusedPlain(text: string, span: Span, isWithinBrackets: boolean): YamlProblem | undefined {
  const isKey = isWithinBrackets && text.startsWith('??');
  if (!isKey && text !== '=' && text !== '<<') return undefined;
  const reason = isKey ? 'a question mark within brackets as the beginning of a key' : `no bare ${text}`;
  return {
    ...problem(`PyYAML, which reads this file, takes ${reason}; put it in quotes.`, span),
    mend: { title: 'Put it in quotes', edits: [{ span, newText: `'${text.replaceAll("'", "''")}'` }] },
  };
}

/** Why PyYAML refuses a tag: it has no constructor for it. */
export function refusedTag(tag: string | undefined, span: Span): YamlProblem | undefined {
  if (tag === undefined || constructed.test(tag)) return undefined;
  return problem(`PyYAML, which reads this file, does not know the tag ${tag}.`, span);
}

/** PyYAML allows each anchor only once in a document (`compose_node` of its composer). */
export function repeatedAnchor(anchor: string, span: Span): YamlProblem {
  return problem(
    `PyYAML, which reads this file, takes an anchor once; &${anchor} stands above as well.`,
    span,
  );
}

/** Lists and maps cannot be keys of Python's dicts. A template (`{{ x }}`) is filled in before anything is loaded. */
export function refusedKey(text: string, kind: 'map' | 'list', span: Span): YamlProblem | undefined {
  if (text.slice(Math.max(0, span.start - 1), span.start + 1) === '{{') return undefined;
  return problem(`PyYAML, which reads this file, does not take ${kind} as a key.`, span);
}

/** Why what a `<<` names cannot be merged: it is neither a map nor a list of maps. */
export function refusedMerge(node: YamlNode): YamlProblem | undefined {
  const wrong = [node, ...node.items].find(
    (part) =>
      (part.kind === 'scalar' && part.value.kind === 'known') || (part.kind === 'list' && part !== node),
  );
  if (wrong === undefined) return undefined;
  return problem('After << stands a map, or a list of maps.', (wrong.alias ?? wrong.place).span);
}

function problem(message: string, span: Span): YamlProblem {
  return { message, span, severity: 'error', isPythons: true };
}

import type { Span } from '../text/span.ts';
import type { YamlNode } from '../yaml/document.ts';
import { resolveScalar } from '../yaml/scalar.ts';
import type { Draft } from './draft.ts';
import type { Work } from './work.ts';
import { setInYaml } from './yamlEdits.ts';
import { pathOfValue } from './yamlPaths.ts';

/** Replaces the text at a span of a scalar; a whole number stays a number. */
export function setTextInYaml(work: Work, draft: Draft, span: Span, text: string): boolean {
  const path = pathOfValue(work, draft, span);
  if (path === undefined) return false;
  const node = work
    .documentsAt(draft.path, draft.text, span)
    .map((document) => document.at(path))
    .find((each) => each !== undefined && holds(each, span));
  const whole = node === undefined ? undefined : withText(draft, node, span, text);
  if (whole === undefined) return false;
  const old = draft.text.slice(span.start, span.end);
  const data = resolveScalar(whole, 'core');
  const quoted = /["']/.test(draft.text[span.start - 1] ?? '');
  const number =
    !quoted &&
    typeof data === 'number' &&
    typeof resolveScalar(old, 'core') === 'number' &&
    String(data) === whole;
  return setInYaml(work, { draft, path, at: span.start }, number ? data : whole);
}

function holds({ place }: YamlNode, span: Span): boolean {
  return place.span.start <= span.start && span.end <= place.span.end;
}

/** The text of a scalar with a span of it replaced; undefined if its characters are not literal. */
function withText(
  { text: file }: Draft,
  { place, style }: YamlNode,
  span: Span,
  text: string,
): string | undefined {
  const quotes = style === 'single' || style === 'double' ? 1 : 0;
  const [start, end] = [place.span.start + quotes, place.span.end - quotes];
  if (span.start === start && span.end === end) return text;
  const written = file.slice(start, end);
  if (style === 'block' || /[\n\\]|''/.test(written)) return undefined;
  return written.slice(0, span.start - start) + text + written.slice(span.end - start);
}

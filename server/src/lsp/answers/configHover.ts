import * as z from 'zod/mini';
import { titleOf } from '../../frameworks/framework.ts';
import { escapeMarkdown } from '../../report/markdown.ts';
import { whenOf } from '../../report/phase.ts';
import { documentationUrl } from '../../report/url.ts';
import { readable } from '../../rules/messageText.ts';
import type { Place } from '../../text/span.ts';
import type { YamlNode } from '../../yaml/document.ts';
import { parseYaml } from '../../yaml/parse.ts';
import { touches } from '../protocol/positions.ts';
import { kindOfSetting, mapAt, meaningOf } from './configSettings.ts';
import { ruleMarkdown } from './markdown.ts';
import { type RuleSources, rulesCalled } from './ruleFacts.ts';

/** A key or an item of a list at an offset, with the keys above it. */
interface Written {
  readonly parents: readonly string[];
  readonly name: string;
  readonly isItem: boolean;
  readonly place: Place;
}

/**
 * The documentation at an offset of a project configuration: of a setting, or of a rule that it names.
 *
 * @returns paragraphs and what they are about
 */
export function aboutConfig(
  path: string,
  text: string,
  offset: number,
  sources: RuleSources,
): { readonly place: Place; readonly lines: readonly string[] } | undefined {
  const root = parseYaml(path, text, 'core')[0]?.root;
  const written = root && writtenAt(root, [], path, offset);
  if (written === undefined) return undefined;
  const { parents, name, isItem, place } = written;
  const map = mapAt(parents);
  const isRule = isItem
    ? parents.at(-1) === 'unsuppressible'
    : map instanceof z.ZodMiniRecord && parents.at(-1) === 'rules';
  if (isRule) {
    const lines = aboutRule(name, sources);
    return lines.length === 0 ? undefined : { place, lines };
  }
  const key = isItem ? parents.at(-1) : name;
  const holder = isItem ? mapAt(parents.slice(0, -1)) : map;
  const schema = holder instanceof z.ZodMiniObject && key !== undefined ? holder.shape[key] : undefined;
  const meaning = meaningOf(schema);
  if (key === undefined || meaning === undefined) return undefined;
  return { place, lines: [`**${escapeMarkdown(key)}** · ${kindOfSetting(schema)}`, meaning] };
}

/** Finds the key whose name or value is at an offset; the value of a rule's key counts as the rule too. */
function writtenAt(
  node: YamlNode,
  parents: readonly string[],
  path: string,
  offset: number,
): Written | undefined {
  for (const item of node.items) {
    const found =
      item.kind === 'scalar' && touches(item.place, path, offset) && item.value.kind === 'known'
        ? { parents, name: String(item.value.data), isItem: true, place: item.place }
        : writtenAt(item, parents, path, offset);
    if (found !== undefined) return found;
  }
  for (const { key, keyPlace, node: value } of node.entries) {
    const isHere = value.kind === 'scalar' && touches(value.place, path, offset);
    if (isHere || touches(keyPlace, path, offset))
      return { parents, name: key, isItem: false, place: isHere ? value.place : keyPlace };
    const found = writtenAt(value, [...parents, key], path, offset);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What rules with a name find and why; several frameworks may have a rule with the same name. */
export function aboutRule(name: string, sources: RuleSources): readonly string[] {
  const isOwn = (rule: string): boolean =>
    [...sources.constraints].some(([framework, some]) =>
      some.some(({ id }) => rule === `${framework}/${id}`),
    );
  return rulesCalled(name, sources).flatMap((rule) => {
    const facts = [
      rule.severity,
      ...(rule.phase === 'never' ? [] : [whenOf(rule.phase)]),
      ...(rule.framework === undefined ? [] : [titleOf(rule.framework)]),
    ];
    return [
      `**${escapeMarkdown(rule.id)}** · ${facts.join(' · ')}`,
      escapeMarkdown(readable(rule.message)),
      ruleMarkdown(readable(rule.why)),
      ...(isOwn(rule.id) ? [] : [`[More about this rule](${documentationUrl(rule.id)})`]),
    ];
  });
}

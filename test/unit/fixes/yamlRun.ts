import type { Safety } from '../../../server/src/expression/compiled.ts';
import { planFix } from '../../../server/src/fixes/plan.ts';
import type { Run, Setting } from '../../../server/src/frameworks/framework.ts';
import type { Fix } from '../../../server/src/rules/finding.ts';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { unknown } from '../../../server/src/value/value.ts';
import type { YamlNode } from '../../../server/src/yaml/document.ts';
import { interpolated } from '../../../server/src/yaml/interpolate.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';
import { givenScope, type Proposed, proposed } from './proposal.ts';

/** Plans a change of a configuration whose settings are named by their dotted paths. */
export function planYaml(text: string, change: Proposed, safety: Safety = 'suggested'): Fix | undefined {
  const [read] = parseYaml('/w/config.yaml', text);
  if (read === undefined) return undefined;
  const document = interpolated(read);
  const settings: Setting[] = [];
  const walk = (node: YamlNode, path: readonly string[]): void => {
    for (const entry of node.entries) {
      const inner = [...path, entry.key];
      walk(entry.node, inner);
      if (entry.node.kind === 'map') continue;
      settings.push({
        name: inner.join('.'),
        written: inner.join('.'),
        value: entry.node.value,
        keyPlace: entry.keyPlace,
        valuePlace: entry.node.place,
        origin: entry.node.pieces.length === 1 ? entry.node.pieces[0]?.origin : undefined,
        syntax: { kind: 'yaml', path: inner },
      });
    }
  };
  if (document.root !== undefined) walk(document.root, []);
  const place = { path: '/w/config.yaml', span: { start: 0, end: 0 } };
  const run: Run = {
    framework: 'areal',
    because: 'test',
    launch: undefined,
    documents: [document],
    place,
    settings,
    problems: [],
    scopes: [],
    env: new Map(),
    worldSize: unknown('outside', 'GPUs'),
    open: false,
    upstreamEntry: true,
  };
  const texts = { read: (path: string) => (path === '/w/config.yaml' ? text : undefined) };
  return planFix({ ...proposed(change), safety }, run, givenScope('areal', settings), texts);
}

/** The text after a change, or undefined if there is no fix. */
export function fixedYaml(text: string, change: Proposed): string | undefined {
  const fix = planYaml(text, change);
  return fix === undefined ? undefined : applyEdits(text, fix.edits);
}

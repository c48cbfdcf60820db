import { unknown } from '../value/value.ts';
import type { YamlDocument } from '../yaml/document.ts';
import type { FrameworkId, Run } from './framework.ts';

/** A run without settings, for a document that means something only through the launch that names it. */
export function documentRun(document: YamlDocument, because: string, framework: FrameworkId): Run {
  return {
    framework,
    because,
    launch: undefined,
    documents: [document],
    place: document.root?.place ?? { path: document.path, span: { start: 0, end: 0 } },
    settings: [],
    problems: [],
    scopes: [],
    env: new Map(),
    worldSize: unknown('outside', 'the launch'),
    open: true,
    upstreamEntry: false,
  };
}

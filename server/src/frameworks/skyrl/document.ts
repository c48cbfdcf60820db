import { unknown } from '../../value/value.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import type { Run } from '../framework.ts';

/** A run without settings: SkyRL has no configuration files of its own, its overrides stand in the launch. */
export function documentRun(document: YamlDocument, because: string): Run {
  return {
    framework: 'skyrl',
    because,
    launch: undefined,
    documents: [document],
    place: { path: document.path, span: { start: 0, end: 0 } },
    settings: [],
    problems: [],
    scopes: [],
    env: new Map(),
    worldSize: unknown('outside', 'the launch'),
    open: true,
    upstreamEntry: false,
  };
}

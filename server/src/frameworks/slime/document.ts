import { unknown } from '../../value/value.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import type { Run } from '../framework.ts';

/** A run without settings: the configuration files of slime and Relax are read through the launch that names them. */
export function documentRun(document: YamlDocument, because: string, framework: 'slime' | 'relax'): Run {
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

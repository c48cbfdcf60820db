import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import type { EnvironmentFacts } from '../frameworks/environment.ts';
import type { FrameworkId } from '../frameworks/framework.ts';
import type { Knowledge } from '../frameworks/knowledge.ts';
import { knowledgeIn } from '../frameworks/storedKnowledge.ts';
import type { CommonRule } from '../rules/rule.ts';
import { version } from '../version.ts';
import { askedFiles } from './files/askedFiles.ts';
import { startServer } from './server.ts';

/** The worker's global scope, as far as messages need it. */
declare const self: {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  postMessage(message: unknown): void;
};

/** The first message: the knowledge that the build wrote, as file contents by name. The protocol starts after it. */
interface Start {
  readonly knowledge: { readonly [name: string]: string };
}

function isStart(data: unknown): data is Start {
  return typeof data === 'object' && data !== null && 'knowledge' in data;
}

/** Serves a client in a web worker; the client reads the files. */
function serve({ knowledge }: Start): void {
  const connection = createConnection(new BrowserMessageReader(self), new BrowserMessageWriter(self));
  const loaded = new Map<FrameworkId, Knowledge>();
  const common: CommonRule[] = JSON.parse(knowledge.common ?? '[]');
  const environment: EnvironmentFacts = JSON.parse(knowledge.environment ?? '');
  startServer(connection, {
    knowledgeOf: (framework) => {
      const known = loaded.get(framework);
      if (known !== undefined) return known;
      const read = knowledgeIn(knowledge[framework] ?? '');
      loaded.set(framework, read);
      return read;
    },
    commonRules: new Map(common.map((rule) => [rule.id, rule])),
    environment,
    version,
    ...askedFiles(connection),
    now: () => performance.now(),
    nextTurn: (go) => setTimeout(go, 0),
  });
}

self.onmessage = ({ data }) => {
  if (!isStart(data)) return;
  self.onmessage = null;
  serve(data);
};

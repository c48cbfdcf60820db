import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver/node';
import { createProjectLinter } from '../../server/src/config/project.ts';
import { documentDiagnostics } from '../../server/src/lsp/files/diagnostics.ts';
import { Session } from '../../server/src/lsp/session.ts';
import { SettingsStore } from '../../server/src/lsp/settings.ts';
import { scriptText } from '../../tools/bench/lspTexts.ts';
import { loadKnowledge } from '../support/knowledge.ts';
import { memoryHost } from '../support/memoryHost.ts';
import { numbers } from '../support/random.ts';
import { inProcess } from './client.ts';
import { boundary, positionAt } from './counting.ts';
import { arealConfig, mainScript, megatronScript, modelFile, refused } from './texts.ts';

const edits = 5000;
const root = '/repository';
const example = (name: string): string =>
  readFileSync(resolve(import.meta.dirname, '../../examples', name), 'utf8');

const start: { [path: string]: string } = {
  [`${root}/run.sh`]: mainScript,
  [`${root}/models/model.sh`]: modelFile('8'),
  [`${root}/one.sh`]: megatronScript(refused),
  [`${root}/config.yaml`]: arealConfig(),
  [`${root}/skyrl.sh`]: example('skyrl/run_gsm8k.sh'),
  [`${root}/pretrain.sh`]: example('megatron/pretrain_70b.sh'),
  // Long enough that an edit is only evaluated from where the text differs, with two points to resume from.
  [`${root}/long.sh`]: scriptText(example('slime/run_qwen3_4b.sh'), 300),
};
const snippets = [
  ' ',
  '\n',
  '"',
  "'",
  '\\',
  '$',
  '$TP',
  '${',
  '}',
  '#',
  '(',
  ')',
  '8',
  '16',
  '7',
  '0',
  'true',
  ': ',
  '- ',
  '  ',
  '🦙',
  '\r\n',
  ' \\\n  --cpu-offloading-num-layers 4',
  ' --no-such-flag',
  '--pipeline-model-parallel-size 2 ',
  'TP=4\n',
  'source models/model.sh\n',
  'if true; then\n',
  'fi\n',
  'export CUDA_DEVICE_MAX_CONNECTIONS=8\n',
  '# oomlint-disable-next-line\n',
  'actor:\n',
  '<<EOF\n',
  '&',
  ';',
];

/** What a fresh server would show for a text, given the current state of the other documents. */
function fresh(texts: { readonly [path: string]: string }, path: string): readonly Diagnostic[] {
  const { knowledgeOf, commonRules, environment } = loadKnowledge();
  // The documents of the server are open and not on disk, so that it cannot list their folder.
  const host = { ...memoryHost(texts, root), list: () => undefined };
  const settings = new SettingsStore({});
  const session = new Session(
    {
      knowledgeOf,
      commonRules,
      environment,
      version: '',
      makeHost: () => host,
      listFiles: () => [],
      now: () => 0,
      nextTurn: setImmediate,
    },
    { get: () => undefined, all: () => [] },
    settings,
    () => undefined,
  );
  session.setFolders([`file://${root}`]);
  const report = createProjectLinter({ host, knowledgeOf, commonRules }).lint(path, texts[path] ?? '');
  return documentDiagnostics(report, session).own;
}

// The server does not delay a lint that seems to take no time: each edit is answered before the next one anyway.
const server = inProcess({}, { now: () => 0 });
afterAll(() => server.client.connection.dispose());

test(`after each of ${edits} random edits the diagnostics match those of a fresh lint`, {
  timeout: 300_000,
}, async () => {
  const { client } = server;
  await client.initialize([`file://${root}`]);
  const random = numbers(20261120);
  const pick = <T>(from: readonly T[]): T => {
    const found = from[Math.floor(random() * from.length)];
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  };
  const texts = { ...start };
  for (const [path, text] of Object.entries(texts))
    await client.open(`file://${path}`, text, path.endsWith('.sh') ? 'shellscript' : 'yaml');
  const paths = Object.keys(texts);
  let compared = 0;
  let reported = 0;
  for (let at = 0; at < edits; at++) {
    const path = pick(paths);
    const text = texts[path] ?? '';
    const from = boundary(text, Math.floor(random() * (text.length + 1)));
    const to = boundary(text, from + (random() < 0.5 ? 0 : Math.floor(random() * 12)));
    const snippet = pick(snippets);
    const uri = `file://${path}`;
    // Now and then the document is reset, so that it does not decay into noise.
    const isNew = random() < 0.08;
    const next = isNew ? (start[path] ?? '') : text.slice(0, from) + snippet + text.slice(to);
    const version = isNew
      ? client.change(uri, next)
      : client.edit(uri, { start: positionAt(text, from), end: positionAt(text, to) }, snippet);
    texts[path] = next;
    const own = await client.diagnostics(uri, version);
    client.published.splice(0, Math.max(0, client.published.length - 200));
    const sourcing = `${root}/run.sh`;
    // What a script finds in the file that it sources is shown there as well; the script itself shows everything.
    if (path === `${root}/models/model.sh`) {
      const expected = fresh(texts, sourcing);
      await client.until(
        () => isDeepStrictEqual(client.shown(`file://${sourcing}`), expected),
        `edit ${at} of the model file to show at the script`,
      );
    } else expect(own, `edit ${at} of ${path}`).toEqual(fresh(texts, path));
    compared++;
    reported += own.length;
  }
  expect(compared).toBe(edits);
  expect(reported).toBeGreaterThan(edits);
});

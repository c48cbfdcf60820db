import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { DocumentDiagnosticReport } from 'vscode-languageserver/node';
import { askedCapabilities, type InProcess, pullCapabilities, pushCapabilities } from './client.ts';
import { codes, folder, model, modelPath, start, started, uri } from './setup.ts';
import { arealConfig, mainScript, megatronScript, modelFile, refused, refusedRule, textAt } from './texts.ts';

let server: InProcess;
beforeEach(() => {
  server = start();
});
const initialize = (): Promise<unknown> => server.client.initialize([folder]);

describe('published diagnostics', () => {
  beforeEach(initialize);

  test('carry rule, page, severity, position and version', async () => {
    const { client } = server;
    const text = megatronScript(refused);
    await client.open(uri, text);
    const found = (await client.diagnostics(uri, 1)).find(({ code }) => code === refusedRule);
    expect(found?.severity).toBe(1);
    expect(found?.source).toBe('oomlint');
    expect(found?.codeDescription?.href).toMatch(/^https:\/\/.*cpu-offload-needs-one-stage/);
    expect(found === undefined ? '' : textAt(text, found.range)).toBe('4');
    expect(found?.relatedInformation?.map(({ location }) => textAt(text, location.range))).toContain('2');
  });

  test('of a multi-line launch underline its first line, and its fixes are offered on all lines', async () => {
    const { client } = server;
    await client.open(uri, 'torchrun pretrain_gpt.py \\\n  --num-layers 2 \\\n  --hidden-size 64\n');
    const missing = (await client.diagnostics(uri, 1)).find(
      ({ code }) => code === 'megatron-lm/micro-batch-size-required',
    );
    expect(missing?.range).toEqual({
      start: { line: 0, character: 0 },
      end: { line: 0, character: 24 },
    });
    const at = { line: 2, character: 5 };
    const actions: readonly { readonly title: string }[] = await client.request(
      'textDocument/codeAction',
      uri,
      {
        range: { start: at, end: at },
        context: { diagnostics: [] },
      },
    );
    expect(actions.map(({ title }) => title).join()).toContain('micro');
  });

  test('follow every edit, and disappear when the error does', async () => {
    const { client } = server;
    await client.open(uri, megatronScript());
    expect(codes(await client.diagnostics(uri, 1))).not.toContain(refusedRule);
    const second = client.change(uri, megatronScript(refused));
    expect(codes(await client.diagnostics(uri, second))).toContain(refusedRule);
    const third = client.change(uri, megatronScript());
    expect(codes(await client.diagnostics(uri, third))).not.toContain(refusedRule);
  });

  test('mark what has no effect as unnecessary and what is deprecated as deprecated', async () => {
    const { client } = server;
    await client.open(uri, megatronScript(' \\\n  --use-rotary-position-embeddings'));
    const deprecated = (await client.diagnostics(uri, 1)).find(({ code }) => code === 'deprecated-option');
    expect(deprecated?.tags).toEqual([2]);
  });

  test('a burst of edits causes one run for the last version', async () => {
    const { client } = server;
    await client.open(uri, megatronScript());
    await client.diagnostics(uri, 1);
    const before = client.published.length;
    for (let at = 0; at < 20; at++) client.change(uri, megatronScript(` # ${at}`));
    const last = client.change(uri, megatronScript(refused));
    expect(codes(await client.diagnostics(uri, last))).toContain(refusedRule);
    expect(client.published.length - before).toBeLessThanOrEqual(3);
  });

  test('a burst of edits causes one run on a busy machine too', async () => {
    const { client } = server;
    await client.open(uri, megatronScript());
    await client.diagnostics(uri, 1);
    const before = client.published.length;
    // Every turn of the event loop takes longer than any of the server's waits.
    let turn = setImmediate(function busy() {
      const end = performance.now() + 10;
      while (performance.now() < end);
      turn = setImmediate(busy);
    });
    onTestFinished(() => clearImmediate(turn));
    for (let at = 0; at < 20; at++) client.change(uri, megatronScript(` # ${at}`));
    const last = client.change(uri, megatronScript(refused));
    expect(codes(await client.diagnostics(uri, last))).toContain(refusedRule);
    expect(client.published.length - before).toBeLessThanOrEqual(3);
  });

  test('a stale version is never published after a newer one', async () => {
    const { client } = server;
    await client.open(uri, megatronScript());
    for (let at = 0; at < 15; at++) {
      client.change(uri, megatronScript(at % 2 === 0 ? refused : ''));
      await new Promise((go) => setTimeout(go, at % 4));
    }
    await client.diagnostics(uri, 16);
    await client.settle();
    const versions = client.published.filter((one) => one.uri === uri).map(({ version }) => version ?? 0);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(versions.at(-1)).toBe(16);
  });

  test('nothing is published after close, even if a lint is queued', async () => {
    const { client } = server;
    await client.open(uri, megatronScript(refused));
    await client.diagnostics(uri, 1);
    client.change(uri, megatronScript(`${refused} # more`));
    await client.close(uri);
    await client.settle();
    const last = client.published.findLast((one) => one.uri === uri);
    expect(last?.diagnostics).toEqual([]);
    expect(last?.version).toBeUndefined();
    const count = client.published.length;
    await client.settle(100);
    expect(client.published.length).toBe(count);
  });

  test('closing right after opening shows nothing', async () => {
    const { client } = server;
    await client.open(uri, megatronScript(refused));
    await client.close(uri);
    await client.settle(100);
    expect(client.shown(uri)).toEqual([]);
    await client.open(uri, megatronScript(refused));
    expect(codes(await client.diagnostics(uri, 1))).toContain(refusedRule);
  });

  test('columns count UTF-16 units, even after emoji', async () => {
    const { client } = server;
    const text = megatronScript(' --tensorboard-dir "🦙🦙" --no-such-flag-x');
    await client.open(uri, text);
    const unknown = (await client.diagnostics(uri, 1)).find(({ code }) => code === 'unknown-option');
    expect(unknown === undefined ? '' : textAt(text, unknown.range)).toBe('--no-such-flag-x');
  });

  test('YAML lines may end in CRLF', async () => {
    const { client } = server;
    const text = arealConfig('🦙', 'no_such_key: 1').replaceAll('\n', '\r\n');
    const config = `${folder}/config.yaml`;
    await client.open(config, text, 'yaml');
    const unknown = (await client.diagnostics(config, 1)).find(({ code }) => code === 'unknown-option');
    expect(unknown === undefined ? '' : textAt(text, unknown.range)).toBe('no_such_key');
  });
});

describe('several files', () => {
  beforeEach(initialize);

  /** Opens the script and the file that it sources, both without the fault. @returns how many findings the script has */
  const openBoth = async (): Promise<number> => {
    const { client } = server;
    await client.open(uri, mainScript);
    await client.open(model, modelFile('8'));
    await client.diagnostics(uri, 1);
    await client.diagnostics(model, 1);
    await client.settle();
    return client.shown(uri).length;
  };

  test('a finding in a sourced file is shown in the script and in the file, once', async () => {
    server.files[modelPath] = modelFile('7');
    const { client } = server;
    await client.open(uri, mainScript);
    const here = await client.diagnostics(uri, 1);
    const fault = here.find(({ message }) => String(message).includes('7'));
    expect(fault).toBeDefined();
    expect(fault?.relatedInformation?.map(({ location }) => location.uri)).toContain(model);
    const rule = fault?.code;
    const there = client.shown(model);
    expect(there.filter(({ code }) => code === rule)).toHaveLength(1);
    const [shown] = there;
    expect(shown === undefined ? '' : textAt(modelFile('7'), shown.range)).toMatch(/^(7|512|--\S+)$/);
    // Opening that file too does not duplicate it.
    await client.open(model, modelFile('7'));
    await client.diagnostics(model, 1);
    await client.settle();
    expect(client.shown(model).filter(({ code }) => code === rule)).toHaveLength(1);
  });

  test('an edit in a sourced file refreshes the script that uses it', async () => {
    server.files[modelPath] = modelFile('8');
    const { client } = server;
    const clean = await openBoth();
    client.change(model, modelFile('7'));
    await client.until(() => client.shown(uri).length > clean, 'the fault at the script');
    expect(client.shown(model).length).toBeGreaterThan(0);
    client.change(model, modelFile('8'));
    await client.until(() => client.shown(uri).length === clean, 'the script without the fault');
    expect(client.shown(model)).toEqual([]);
  });

  test('closing a sourced file unsaved returns to the file on disk', async () => {
    server.files[modelPath] = modelFile('8');
    const { client } = server;
    const clean = await openBoth();
    client.change(model, modelFile('7'));
    await client.until(() => client.shown(uri).length > clean, 'the fault');
    await client.close(model);
    await client.until(() => client.shown(uri).length === clean, 'the state on disk');
  });

  test('closing the script removes its findings from the sourced file', async () => {
    server.files[modelPath] = modelFile('7');
    const { client } = server;
    await client.open(uri, mainScript);
    await client.until(() => client.shown(model).length > 0, 'the fault in the model file');
    await client.close(uri);
    await client.until(() => client.shown(model).length === 0, 'the model file without the fault');
    await client.until(() => client.shown(uri).length === 0, 'nothing at the closed script');
  });

  test('a change on disk refreshes what reads the file', async () => {
    server.files[modelPath] = modelFile('8');
    const { client } = server;
    expect(await client.until(() => client.registrations.length > 0, 'watchers')).toBe(true);
    expect(client.registrations).toContain('workspace/didChangeWatchedFiles');
    await client.open(uri, mainScript);
    const clean = (await client.diagnostics(uri, 1)).length;
    server.files[modelPath] = modelFile('7');
    await client.changedOnDisk(model);
    await client.until(() => client.shown(uri).length > clean, 'the fault');
  });

  test('a program that changes on disk refreshes the scripts that start it', async () => {
    const program = '/repository/rewards.py';
    server.files[program] = 'def score(args):\n  pass\n';
    const { client } = server;
    await client.until(() => client.registrations.length > 0, 'watchers');
    await client.open(
      uri,
      'python3 train.py --rollout-batch-size 16 --rollout-num-gpus 4 --custom-rm-path rewards.judge\n',
    );
    const isTold = (): boolean => codes(client.shown(uri)).includes('missing-function');
    await client.until(isTold, 'the function that is missing');
    server.files[program] = 'def judge(args):\n  pass\n';
    await client.changedOnDisk(`file://${program}`);
    await client.until(() => !isTold(), 'the function that is there now');
  });

  test('without file watching, saving reads the disk again', async () => {
    const { client, files } = await started({ textDocument: pushCapabilities.textDocument });
    files[modelPath] = modelFile('8');
    await client.open(uri, mainScript);
    const clean = (await client.diagnostics(uri, 1)).length;
    files[modelPath] = modelFile('7');
    client.change(uri, `${mainScript}\n`);
    await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    await client.until(() => client.shown(uri).length > clean, 'the fault');
    files[modelPath] = modelFile('8');
    await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    await client.until(() => client.shown(uri).length === clean, 'the mended file, without an edit between');
  });
});

describe('configuration', () => {
  const config = `${folder}/.oomlint.yaml`;

  test('an edit of the configuration refreshes every document', async () => {
    server.files['/repository/.oomlint.yaml'] = '';
    const { client } = server;
    await client.initialize([folder]);
    const other = `${folder}/other.sh`;
    await client.open(uri, megatronScript(refused));
    await client.open(other, megatronScript(refused));
    await client.diagnostics(other, 1);
    await client.open(config, '', 'yaml');
    client.change(config, `rules:\n  ${refusedRule}: off\n`);
    for (const one of [uri, other])
      await client.until(() => !codes(client.shown(one)).includes(refusedRule), `${one} without the rule`);
    await client.close(config);
    await client.until(() => codes(client.shown(uri)).includes(refusedRule), 'the configuration on disk');
  });

  test('errors in a configuration are shown in it', async () => {
    const { client } = server;
    await client.initialize([folder]);
    await client.open(config, 'rules:\n  some-rule: loud\n', 'yaml');
    const [fault] = await client.diagnostics(config, 1);
    expect(fault?.code).toBe('configuration');
    expect(fault?.range.start.line).toBe(1);
  });

  test('unknown names are underlined themselves', async () => {
    const { client } = server;
    await client.initialize([folder]);
    await client.open(config, 'rules:\n  no-such-rule: error\nfail_off: error\n', 'yaml');
    const faults = await client.diagnostics(config, 1);
    expect(faults.map(({ range }) => [range.start, range.end])).toEqual([
      [
        { line: 2, character: 0 },
        { line: 2, character: 8 },
      ],
      [
        { line: 1, character: 2 },
        { line: 1, character: 14 },
      ],
    ]);
  });

  test('a document can be switched off in the editor, by scope', async () => {
    const { client } = server;
    client.settings = { '*': {}, [uri]: { enable: false } };
    await client.initialize([folder], {
      ...pushCapabilities,
      workspace: {
        ...askedCapabilities.workspace,
        didChangeConfiguration: { dynamicRegistration: true },
      },
    });
    const other = `${folder}/other.sh`;
    await client.open(uri, megatronScript(refused));
    await client.open(other, megatronScript(refused));
    expect(codes(await client.diagnostics(other, 1))).toContain(refusedRule);
    expect(await client.diagnostics(uri, 1)).toEqual([]);
    expect(client.registrations).toContain('workspace/didChangeConfiguration');
    client.settings = { '*': {} };
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await client.until(() => codes(client.shown(uri)).includes(refusedRule), 'the document switched on');
  });

  test('clients that cannot be asked push settings or send them with initialize', async () => {
    const { client } = server;
    await client.initialize([folder], pushCapabilities, { enable: false });
    await client.open(uri, megatronScript(refused));
    expect(await client.diagnostics(uri, 1)).toEqual([]);
    await client.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { oomlint: { enable: true } },
    });
    await client.until(() => codes(client.shown(uri)).includes(refusedRule), 'the document switched on');
  });
});

describe('pulled diagnostics', () => {
  const pull = (one: string, previousResultId?: string): Promise<DocumentDiagnosticReport> =>
    server.client.request('textDocument/diagnostic', one, { previousResultId });

  test('answer for the current text, and nothing is pushed for open documents', async () => {
    const { client } = server;
    const { capabilities } = await client.initialize([folder], pullCapabilities);
    expect(capabilities.diagnosticProvider).toMatchObject({ interFileDependencies: true });
    await client.open(uri, megatronScript(refused));
    const first = await pull(uri);
    if (first.kind !== 'full') throw new Error('the first report must be full');
    expect(codes(first.items)).toContain(refusedRule);
    const same = await pull(uri, first.resultId);
    expect(same).toEqual({ kind: 'unchanged', resultId: first.resultId });
    client.change(uri, megatronScript());
    const after = await pull(uri, first.resultId);
    expect(after.kind === 'full' && codes(after.items)).not.toContain(refusedRule);
    await client.settle();
    expect(client.published.filter((one) => one.uri === uri && one.diagnostics.length > 0)).toEqual([]);
  });

  test('findings in a file that is not open are published; once it is open, the client is asked to pull again', async () => {
    server.files[modelPath] = modelFile('7');
    const { client } = server;
    await client.initialize([folder], pullCapabilities);
    await client.open(uri, mainScript);
    await pull(uri);
    await client.until(() => client.shown(model).length > 0, 'the fault in the model file');
    await client.open(model, modelFile('7'));
    await client.until(() => client.shown(model).length === 0, 'the published ones to go');
    const report = await pull(model);
    expect(report.kind === 'full' && report.items.length).toBeGreaterThan(0);
    const before = client.refreshes;
    client.change(model, modelFile('8'));
    await client.until(() => client.refreshes > before, 'a refresh');
    const now = await pull(model);
    await pull(uri);
    expect(now.kind).toBe('full');
    const again = await pull(model);
    expect(again.kind === 'full' && again.items).toEqual([]);
  });

  test('a client that takes related documents immediately gets what the script found in the open sourced file', async () => {
    const { client } = server;
    await client.initialize([folder], {
      ...pullCapabilities,
      textDocument: { ...pullCapabilities.textDocument, diagnostic: { relatedDocumentSupport: true } },
    });
    await client.open(uri, mainScript);
    // The sourced file is missing on disk, so the script has been linted without it.
    expect((await pull(uri)).relatedDocuments).toBeUndefined();
    await client.open(model, modelFile('7'));
    const report = await pull(uri);
    const there = report.relatedDocuments?.[model];
    const direct = await pull(model);
    expect(there?.kind === 'full' && codes(there.items).length).toBeGreaterThan(0);
    expect(there).toEqual(direct);
    client.change(model, modelFile('8'));
    expect((await pull(uri)).relatedDocuments).toBeUndefined();
  });
});

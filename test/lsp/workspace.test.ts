import { describe, expect, test } from 'vitest';
import {
  CancellationTokenSource,
  type PreviousResultId,
  type WorkspaceDiagnosticReport,
} from 'vscode-languageserver/node';
import { createRemoteFiles } from '../../server/src/lsp/files/remoteFiles.ts';
import type { WorkspacePass } from '../../server/src/lsp/protocol/messages.ts';
import { askedCapabilities, pullCapabilities, pushCapabilities, type TestClient } from './client.ts';
import { codes, folder, model, modelPath, start } from './setup.ts';
import { mainScript, megatronScript, modelFile, refused, refusedRule } from './texts.ts';

const wholeWorkspace = { diagnosticMode: 'workspace' };
const script = `${folder}/a.sh`;

/** Waits until the rule is shown for a file, or no longer is. */
async function refusal(client: TestClient, uri: string, isShown: boolean): Promise<void> {
  await client.until(
    () => codes(client.shown(uri)).includes(refusedRule) === isShown,
    `${refusedRule} ${isShown ? 'in' : 'to go from'} ${uri}`,
  );
}

describe('a pass over the workspace', () => {
  test('publishes findings in files that are not open and reports progress', async () => {
    const { client, files } = start({
      '/repository/a.sh': megatronScript(refused),
      '/repository/b.sh': megatronScript(),
      '/repository/c.yaml': 'just: text\n',
    });
    await client.initialize([folder]);
    const pass: WorkspacePass = await client.connection.sendRequest('oomlint/lintWorkspace', {});
    expect(pass).toMatchObject({ files: 3, recognised: 2, cancelled: false });
    expect(pass.findings).toBeGreaterThan(0);
    expect(codes(client.shown(`${folder}/a.sh`))).toContain(refusedRule);
    expect(client.progress.length).toBeGreaterThanOrEqual(2);
    // A file that was fixed on disk loses its diagnostics.
    files['/repository/a.sh'] = megatronScript();
    await client.changedOnDisk(`${folder}/a.sh`);
    await client.until(() => !codes(client.shown(`${folder}/a.sh`)).includes(refusedRule), 'the mended file');
  });

  test('can be cancelled', async () => {
    const many: { [path: string]: string } = {};
    for (let at = 0; at < 500; at++) many[`/repository/${at}.sh`] = megatronScript(refused);
    const { client } = start(many);
    await client.initialize([folder]);
    const token = client.connection;
    const pending = token.sendRequest<WorkspacePass>('oomlint/lintWorkspace', {});
    const begun: unknown = await client.until(() => client.progress[0], 'the progress to begin');
    const progress =
      typeof begun === 'object' && begun !== null && 'token' in begun ? begun.token : undefined;
    await client.connection.sendNotification('window/workDoneProgress/cancel', { token: progress });
    const pass = await pending;
    expect(pass.cancelled).toBe(true);
    expect(pass.files).toBeLessThan(500);
  });
});

describe('keeping the whole workspace linted', () => {
  test('files that were never opened are shown from the start, with progress', async () => {
    const { client } = start({
      '/repository/a.sh': megatronScript(refused),
      '/repository/b.sh': megatronScript(),
    });
    await client.initialize([folder], pushCapabilities, wholeWorkspace);
    await refusal(client, script, true);
    expect(client.progress.length).toBeGreaterThanOrEqual(1);
    expect(client.shown(`${folder}/b.sh`).map(({ severity }) => severity)).not.toContain(1);
  });

  test('by default only open files are linted', async () => {
    const { client } = start({ '/repository/a.sh': megatronScript(refused) });
    await client.initialize([folder]);
    await client.settle(150);
    expect(client.published).toEqual([]);
  });

  for (const [name, capabilities] of [
    ['push', pushCapabilities],
    ['pull', pullCapabilities],
  ] as const)
    test(`a file that is opened and closed shows the same as before (${name})`, async () => {
      const { client } = start({ '/repository/a.sh': megatronScript(refused) });
      await client.initialize([folder], capabilities, wholeWorkspace);
      await refusal(client, script, true);
      const before = client.shown(script);
      await client.open(script, megatronScript(refused));
      if (name === 'pull') await refusal(client, script, false);
      client.change(script, megatronScript());
      await refusal(client, script, false);
      await client.close(script);
      await refusal(client, script, true);
      expect(client.shown(script)).toEqual(before);
      expect(client.published.at(-1)?.version).toBeUndefined();
    });

  test('an edit of a model file, or its change on disk, refreshes scripts that are not open', async () => {
    const { client, files } = start({
      '/repository/a.sh': mainScript,
      [modelPath]: modelFile('8'),
    });
    await client.initialize([folder], pushCapabilities, wholeWorkspace);
    await client.until(
      () => client.published.some(({ uri }) => uri === script) || client.progress.length > 1,
      'the pass',
    );
    await client.settle(150);
    const clean = client.shown(script).length;
    await client.open(model, modelFile('8'));
    client.change(model, modelFile('7'));
    await client.until(() => client.shown(script).length > clean, 'the fault at the closed script');
    await client.close(model);
    await client.until(() => client.shown(script).length === clean, 'the file on disk');
    files[modelPath] = modelFile('7');
    await client.changedOnDisk(model);
    await client.until(() => client.shown(script).length > clean, 'the fault on disk');
  });

  test('files come, change and go', async () => {
    const { client, files } = start({ '/repository/a.sh': megatronScript(refused) });
    await client.initialize([folder], pushCapabilities, wholeWorkspace);
    await refusal(client, script, true);
    files['/repository/new.sh'] = megatronScript(refused);
    await client.changedOnDisk(`${folder}/new.sh`, 'created');
    await refusal(client, `${folder}/new.sh`, true);
    files['/repository/.oomlint.yaml'] = `rules:\n  ${refusedRule}: off\n`;
    await client.changedOnDisk(`${folder}/.oomlint.yaml`, 'created');
    await refusal(client, script, false);
    await refusal(client, `${folder}/new.sh`, false);
    delete files['/repository/.oomlint.yaml'];
    await client.changedOnDisk(`${folder}/.oomlint.yaml`, 'deleted');
    await refusal(client, script, true);
    delete files['/repository/a.sh'];
    await client.changedOnDisk(script, 'deleted');
    await refusal(client, script, false);
    expect(client.shown(script)).toEqual([]);
  });

  test('a folder that the editor moves or deletes takes its files along', async () => {
    const { client, files } = start({ '/repository/old/a.sh': megatronScript(refused) });
    const { capabilities } = await client.initialize([folder], pushCapabilities, wholeWorkspace);
    expect(capabilities.workspace?.fileOperations).toMatchObject({ didRename: {}, didDelete: {} });
    await refusal(client, `${folder}/old/a.sh`, true);
    delete files['/repository/old/a.sh'];
    files['/repository/new/a.sh'] = megatronScript(refused);
    await client.connection.sendNotification('workspace/didRenameFiles', {
      files: [{ oldUri: `${folder}/old`, newUri: `${folder}/new` }],
    });
    await refusal(client, `${folder}/old/a.sh`, false);
    await refusal(client, `${folder}/new/a.sh`, true);
    delete files['/repository/new/a.sh'];
    await client.connection.sendNotification('workspace/didDeleteFiles', {
      files: [{ uri: `${folder}/new` }],
    });
    await refusal(client, `${folder}/new/a.sh`, false);
  });

  test('files that become ignored by Git lose their findings, and regain them when no longer ignored', async () => {
    const files: { [path: string]: string } = {
      '/repository/a.sh': megatronScript(refused),
      '/repository/out/b.sh': megatronScript(refused),
      '/repository/.gitignore': '',
    };
    const { client } = start(files, {
      listFiles: () =>
        Object.keys(files).filter(
          (path) => !path.startsWith(`/repository/${files['/repository/.gitignore'] || ' '}`),
        ),
    });
    await client.initialize([folder], pushCapabilities, wholeWorkspace);
    await refusal(client, `${folder}/out/b.sh`, true);
    files['/repository/.gitignore'] = 'out/';
    await client.changedOnDisk(`${folder}/.gitignore`);
    await refusal(client, `${folder}/out/b.sh`, false);
    expect(codes(client.shown(script))).toContain(refusedRule);
    files['/repository/.gitignore'] = '';
    await client.changedOnDisk(`${folder}/.gitignore`);
    await refusal(client, `${folder}/out/b.sh`, true);
  });

  test('a file created while open in the editor is shown once closed', async () => {
    const { client, files } = start({ '/repository/a.sh': megatronScript(refused) });
    await client.initialize([folder], pushCapabilities, wholeWorkspace);
    await refusal(client, script, true);
    const fresh = `${folder}/new.sh`;
    await client.open(fresh, megatronScript());
    files['/repository/new.sh'] = megatronScript(refused);
    await client.changedOnDisk(fresh, 'created');
    await client.settle();
    await client.close(fresh);
    await refusal(client, fresh, true);
  });

  test('a file saved while open in the editor is read again once closed', async () => {
    const { client, files } = start({ '/repository/a.sh': mainScript, [modelPath]: modelFile('8') });
    await client.initialize([folder]);
    await client.open(script, mainScript);
    const clean = (await client.diagnostics(script)).length;
    await client.open(model, modelFile('8'));
    client.change(model, modelFile('7'));
    await client.until(() => client.shown(script).length > clean, 'the fault in the editor');
    files[modelPath] = modelFile('7');
    await client.changedOnDisk(model);
    await client.close(model);
    await client.settle(150);
    expect(client.shown(script).length).toBeGreaterThan(clean);
  });

  test('the setting can be changed, and differs by folder', async () => {
    const { client } = start({ '/a/a.sh': megatronScript(refused), '/b/b.sh': megatronScript(refused) });
    client.settings = { '*': {}, 'file:///a': wholeWorkspace };
    await client.initialize(['file:///a', 'file:///b'], askedCapabilities);
    await refusal(client, 'file:///a/a.sh', true);
    await client.settle(150);
    expect(client.shown('file:///b/b.sh')).toEqual([]);
    client.settings = { '*': {}, 'file:///b': wholeWorkspace };
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await refusal(client, 'file:///b/b.sh', true);
    await refusal(client, 'file:///a/a.sh', false);
  });

  test('a disabled folder is left out of every pass', async () => {
    const { client } = start({ '/a/a.sh': megatronScript(refused), '/b/b.sh': megatronScript(refused) });
    client.settings = { '*': {}, 'file:///a': { enable: false } };
    await client.initialize(['file:///a', 'file:///b'], askedCapabilities);
    const pass: WorkspacePass = await client.connection.sendRequest('oomlint/lintWorkspace', {});
    expect(pass).toMatchObject({ files: 2, recognised: 1 });
    expect(client.shown('file:///a/a.sh')).toEqual([]);
    await refusal(client, 'file:///b/b.sh', true);
  });

  test('a removed folder takes its findings along', async () => {
    const { client } = start({ '/a/a.sh': megatronScript(refused), '/b/b.sh': megatronScript(refused) });
    await client.initialize(['file:///a', 'file:///b'], pushCapabilities, wholeWorkspace);
    await refusal(client, 'file:///a/a.sh', true);
    await refusal(client, 'file:///b/b.sh', true);
    await client.removeFolder('file:///a');
    await refusal(client, 'file:///a/a.sh', false);
    await refusal(client, 'file:///b/b.sh', true);
  });

  test('when reading takes time, findings stay until a changed file has been read', async () => {
    const files: { [path: string]: string } = { '/repository/a.sh': megatronScript(refused) };
    let arrived = (): void => undefined;
    const remote = createRemoteFiles(
      async (paths) => {
        await new Promise((go) => setTimeout(go, 30));
        return paths.map((path) => ({ path, kind: path in files ? 'file' : 'absent', text: files[path] }));
      },
      () => arrived(),
    );
    const { client } = start(
      {},
      {
        makeHost: remote.host,
        filesChanged: remote.forget,
        onFilesKnown: (listener) => {
          arrived = listener;
        },
        listFiles: () => Object.keys(files),
      },
    );
    await client.initialize([folder], pushCapabilities, wholeWorkspace);
    await refusal(client, script, true);
    client.published.length = 0;
    files['/repository/a.sh'] = `${megatronScript(refused)}# more\n`;
    await client.changedOnDisk(script);
    await client.settle(300);
    expect(client.published.filter(({ diagnostics }) => diagnostics.length === 0)).toEqual([]);
    files['/repository/a.sh'] = megatronScript();
    await client.changedOnDisk(script);
    await client.until(
      () => client.published.length > 0 && client.shown(script).length === 0,
      'the mended file',
    );
  });
});

describe('clients that ask for the whole workspace', () => {
  const ask = (
    client: TestClient,
    previousResultIds: PreviousResultId[] = [],
  ): Promise<WorkspaceDiagnosticReport> =>
    client.connection.sendRequest('workspace/diagnostic', { identifier: 'oomlint', previousResultIds });
  const idsOf = ({ items }: WorkspaceDiagnosticReport): PreviousResultId[] =>
    items.map(({ uri, resultId = '' }) => ({ uri, value: resultId }));

  test('get it without a push, and again after a change', async () => {
    const { client, files } = start({
      '/repository/a.sh': megatronScript(refused),
      '/repository/b.sh': megatronScript(refused),
    });
    const { capabilities } = await client.initialize([folder], pullCapabilities);
    expect(capabilities.diagnosticProvider).toMatchObject({ workspaceDiagnostics: true });
    const first = await ask(client);
    expect(first.items.map(({ kind }) => kind)).toEqual(['full', 'full']);
    for (const item of first.items) expect(item.kind === 'full' && codes(item.items)).toContain(refusedRule);
    expect(client.published.filter(({ diagnostics }) => diagnostics.length > 0)).toEqual([]);
    const second = ask(client, idsOf(first));
    await client.settle(100);
    files['/repository/a.sh'] = megatronScript();
    await client.changedOnDisk(script);
    const { items } = await second;
    expect(items.find(({ uri }) => uri === script)).toMatchObject({ kind: 'full', items: [] });
    expect(items.find(({ uri }) => uri.endsWith('/b.sh'))).toMatchObject({ kind: 'unchanged' });
  });

  test('get nothing on open documents, which they ask for one by one', async () => {
    const { client } = start({ '/repository/a.sh': megatronScript(refused) });
    await client.initialize([folder], pullCapabilities);
    await client.open(script, megatronScript(refused));
    const first = await ask(client);
    expect(first.items).toEqual([]);
    const second = ask(client);
    await client.close(script);
    const { items } = await second;
    expect(items.map(({ uri }) => uri)).toEqual([script]);
  });

  test('may cancel their request', async () => {
    const { client } = start({ '/repository/a.sh': megatronScript(refused) });
    await client.initialize([folder], pullCapabilities);
    const first = await ask(client);
    const source = new CancellationTokenSource();
    const second = client.connection.sendRequest(
      'workspace/diagnostic',
      { identifier: 'oomlint', previousResultIds: idsOf(first) },
      source.token,
    );
    await client.settle(60);
    source.cancel();
    // It ends, with a report or as cancelled, and waits no longer.
    await Promise.allSettled([second]);
  });

  test('exclude the extension, which has a setting instead', async () => {
    const { client } = start();
    const { capabilities } = await client.initialize([folder], pullCapabilities, { commands: true });
    expect(capabilities.diagnosticProvider).toMatchObject({ workspaceDiagnostics: false });
  });
});

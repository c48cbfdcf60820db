import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { memoryHost } from '../support/memoryHost.ts';
import {
  askedCapabilities,
  builtServer,
  fileUri,
  inProcess,
  pushCapabilities,
  type TestClient,
} from './client.ts';
import { codes, folder, start } from './setup.ts';
import { arealConfig, mainScript, megatronScript, modelFile, refused, refusedRule } from './texts.ts';

describe('workspaces', () => {
  test('several folders, each with its own configuration, are added and removed', async () => {
    const { client } = start({ '/a/.oomlint.yaml': `rules:\n  ${refusedRule}: off\n` });
    await client.initialize(['file:///a', 'file:///b']);
    await client.open('file:///a/run.sh', megatronScript(refused));
    await client.open('file:///b/run.sh', megatronScript(refused));
    expect(codes(await client.diagnostics('file:///a/run.sh', 1))).not.toContain(refusedRule);
    expect(codes(await client.diagnostics('file:///b/run.sh', 1))).toContain(refusedRule);
    await client.removeFolder('file:///a');
    await client.until(() => codes(client.shown('file:///a/run.sh')).includes(refusedRule), 'the rule in /a');
  });

  test('no workspace at all', async () => {
    const { client } = start();
    await client.initialize(null);
    await client.open('file:///else/run.sh', megatronScript(refused));
    expect(codes(await client.diagnostics('file:///else/run.sh', 1))).toContain(refusedRule);
  });

  test('untitled documents are read in the language given by the editor', async () => {
    const { client } = start();
    await client.initialize(null);
    await client.open('untitled:Untitled-1', megatronScript(refused).replace('#!/bin/bash\n', ''));
    expect(codes(await client.diagnostics('untitled:Untitled-1', 1))).toContain(refusedRule);
    await client.open('untitled:Untitled-2', arealConfig('t', 'no_such_key: 1'), 'yaml');
    expect(codes(await client.diagnostics('untitled:Untitled-2', 1))).toContain('unknown-option');
  });

  test('files whose names do not show their type are read in the language given by the editor', async () => {
    const { client } = start();
    await client.initialize(null);
    const script = megatronScript(refused).replace('#!/bin/bash\n', '');
    await client.open('file:///repository/launch', script);
    expect(codes(await client.diagnostics('file:///repository/launch', 1))).toContain(refusedRule);
    await client.open('file:///repository/notes', script, 'plaintext');
    await client.settle();
    expect(client.shown('file:///repository/notes')).toEqual([]);
    await client.open('file:///repository/experiment.conf', arealConfig('t', 'no_such_key: 1'), 'yaml');
    expect(codes(await client.diagnostics('file:///repository/experiment.conf', 1))).toContain(
      'unknown-option',
    );
  });

  test('the older version of a file in a comparison does not replace the file', async () => {
    const { client } = start();
    await client.initialize([folder]);
    await client.open(`${folder}/run.sh`, megatronScript(refused));
    await client.diagnostics(`${folder}/run.sh`, 1);
    await client.open('git:/repository/run.sh?%7B%22ref%22%3A%22HEAD%22%7D', megatronScript());
    await client.settle();
    const version = client.change(`${folder}/run.sh`, megatronScript(`${refused} `));
    expect(codes(await client.diagnostics(`${folder}/run.sh`, version))).toContain(refusedRule);
  });

  test('a folder in an editor’s file system is not read from disk, which may have the same path', async () => {
    const root = 'vscode-vfs://github/team/project';
    const there = { '/team/project/models/model.sh': modelFile('7'), '/team/project/run.sh': mainScript };
    const { client } = start(
      { '/team/project/models/model.sh': modelFile('8') },
      {
        remote: {
          makeHost: ([folder = '']) => memoryHost(there, folder),
          listFiles: () => Object.keys(there),
        },
      },
    );
    await client.initialize([root], undefined, { diagnosticMode: 'workspace' });
    await client.until(() => client.shown(`${root}/run.sh`).length > 0, 'findings in the script');
    await client.until(
      () => client.shown(`${root}/models/model.sh`).length > 0,
      'the fault in the model file',
    );
  });

  test.each([['refuses'], ['does not know']])(
    'files of a file system that the client %s to read are unknown, not missing',
    async (how) => {
      const { client } = builtServer();
      onTestFinished(() => client.stop());
      if (how === 'does not know') client.connection.onRequest('oomlint/readFiles', () => null);
      const root = 'vscode-vfs://github/team/project';
      await client.initialize([root], undefined, { diagnosticMode: 'workspace' });
      await client.open(`${root}/run.sh`, mainScript);
      expect(codes(await client.diagnostics(`${root}/run.sh`, 1))).not.toContain('missing-source');
      await client.settle();
      expect(codes(client.shown(`${root}/run.sh`))).not.toContain('missing-source');
      expect(client.logs).toEqual([]);
    },
  );

  test('files of a virtual file system keep their scheme in related locations', async () => {
    const root = 'vscode-vfs://github/team/project';
    const { client } = start({ '/team/project/models/model.sh': modelFile('7') });
    await client.initialize([root]);
    await client.open(`${root}/run.sh`, mainScript);
    await client.until(
      () => client.shown(`${root}/models/model.sh`).length > 0,
      'the fault in the model file',
    );
  });
});

describe('robustness', () => {
  test('an engine that fails on a document leaves the server working', async () => {
    let broken = true;
    const { client } = start(
      {},
      {
        makeHost: () => ({
          read: () => undefined,
          kind: (path) => {
            if (broken && path.startsWith('/repository')) throw new Error('the disk is on fire');
            return 'absent';
          },
          list: () => undefined,
          rootOf: () => '/repository',
        }),
      },
    );
    await client.initialize([folder]);
    await client.open(`${folder}/run.sh`, megatronScript(refused));
    expect(await client.diagnostics(`${folder}/run.sh`, 1)).toEqual([]);
    expect(client.logs.join('\n')).toContain('the disk is on fire');
    expect(
      await client.request('textDocument/hover', `${folder}/run.sh`, { position: { line: 3, character: 1 } }),
    ).toBeNull();
    broken = false;
    const version = client.change(`${folder}/run.sh`, megatronScript(`${refused} `));
    expect(codes(await client.diagnostics(`${folder}/run.sh`, version))).toContain(refusedRule);
  });

  test('a client that refuses what it offered does not stop the server', async () => {
    const { client } = start({ '/repository/models/model.sh': modelFile('8') });
    for (const method of [
      'client/registerCapability',
      'workspace/codeLens/refresh',
      'workspace/inlayHint/refresh',
    ])
      client.connection.onRequest(method, () => {
        throw new Error('not today');
      });
    await client.initialize([folder], {
      ...pushCapabilities,
      workspace: {
        ...askedCapabilities.workspace,
        codeLens: { refreshSupport: true },
        inlayHint: { refreshSupport: true },
      },
    });
    client.connection.onRequest('workspace/configuration', () => {
      throw new Error('not today');
    });
    await client.open(`${folder}/run.sh`, mainScript);
    await client.open(`${folder}/models/model.sh`, modelFile('8'));
    await client.diagnostics(`${folder}/run.sh`, 1);
    client.change(`${folder}/models/model.sh`, modelFile('7'));
    await client.until(() => client.shown(`${folder}/models/model.sh`).length > 0, 'the fault');
  });

  test('before initialize and after shutdown, requests get protocol errors and nothing is processed', async () => {
    const { client } = inProcess();
    const uri = `${folder}/run.sh`;
    const position = { line: 1, character: 1 };
    const hover = (): Promise<unknown> => client.request('textDocument/hover', uri, { position });
    await expect(hover()).rejects.toMatchObject({ code: -32002 });
    await expect(client.connection.sendRequest('oomlint/lintWorkspace', {})).rejects.toMatchObject({
      code: -32002,
    });
    await expect(client.connection.sendRequest('no/such', {})).rejects.toMatchObject({ code: -32002 });
    await client.open(uri, megatronScript(refused));
    await client.initialize([folder]);
    await client.settle();
    expect(client.published).toEqual([]);
    expect(await hover()).toBeNull();
    await expect(client.connection.sendRequest('no/such', {})).rejects.toMatchObject({ code: -32601 });
    await expect(client.initialize([folder])).rejects.toMatchObject({ code: -32600 });
    await client.connection.sendRequest('shutdown');
    for (const method of ['textDocument/hover', 'shutdown', 'no/such'])
      await expect(client.request(method, uri, { position })).rejects.toMatchObject({ code: -32600 });
    client.connection.dispose();
  });

  test('requests for documents that are not open, and before the engine is ready, are answered', async () => {
    const { client } = start();
    await client.initialize([folder]);
    const position = { line: 100, character: 100 };
    const range = { start: { line: 0, character: 0 }, end: position };
    const uri = `${folder}/none.sh`;
    expect(await client.request('textDocument/hover', uri, { position })).toBeNull();
    expect(await client.request('textDocument/completion', uri, { position })).toEqual([]);
    expect(
      await client.request('textDocument/codeAction', uri, { range, context: { diagnostics: [] } }),
    ).toEqual([]);
    expect(await client.request('textDocument/inlayHint', uri, { range })).toEqual([]);
    expect(await client.request('textDocument/documentSymbol', uri)).toEqual([]);
    expect(await client.request('textDocument/definition', uri, { position })).toEqual([]);
    expect(await client.request('textDocument/semanticTokens/full', uri)).toMatchObject({ data: [] });
  });

  const hostile: { readonly [name: string]: string } = {
    'a million brackets': `torchrun ${'$('.repeat(20_000)}`,
    'deep YAML': `actor:\n${Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at + 1)}a:`).join('\n')}`,
    'deep flow YAML': `actor: ${'['.repeat(20_000)}`,
    'one line of two million characters': `torchrun pretrain_gpt.py --x ${'y'.repeat(2_000_000)}`,
    binary: `torchrun ${String.fromCharCode(...Array.from({ length: 5000 }, (_, at) => at % 256))}`,
    'lone surrogates': 'torchrun pretrain_gpt.py --\ud800 \udc00',
    'conflict markers': `actor:\n<<<<<<< HEAD\n  a: 1\n=======\n  a: 2\n>>>>>>> x\n`,
    'a loop without end': 'while true; do torchrun pretrain_gpt.py; done\n',
    'a file that sources itself': 'source "${BASH_SOURCE[0]}"\ntorchrun pretrain_gpt.py\n',
  };
  for (const [name, text] of Object.entries(hostile))
    test(`survives ${name}`, async () => {
      const { client } = start();
      await client.initialize([folder]);
      const yaml = text.startsWith('actor');
      const uri = `${folder}/hostile.${yaml ? 'yaml' : 'sh'}`;
      await client.open(uri, text, yaml ? 'yaml' : 'shellscript');
      await client.diagnostics(uri, 1);
      await client.open(`${folder}/run.sh`, megatronScript(refused));
      expect(codes(await client.diagnostics(`${folder}/run.sh`, 1))).toContain(refusedRule);
    });
});

/** Median milliseconds from an edit to the diagnostics of its version, over an odd number of edits. */
async function medianEdit(client: TestClient, uri: string, text: (edit: number) => string): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < 9; at++) {
    const begin = performance.now();
    const version = client.change(uri, text(at));
    await client.diagnostics(uri, version);
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b)[2] ?? Number.POSITIVE_INFINITY;
}

describe('the built server', () => {
  test.each(['cli.js', 'extensionServer.cjs'] as const)(
    '%s serves over stdio, shuts down and exits with 0',
    async (file) => {
      const { client, exit } = builtServer(file);
      const { serverInfo, capabilities } = await client.initialize([folder]);
      expect(serverInfo).toMatchObject({ name: 'oomlint', version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
      expect(Object.keys(capabilities)).toEqual(
        expect.arrayContaining([
          'hoverProvider',
          'inlayHintProvider',
          'semanticTokensProvider',
          'signatureHelpProvider',
        ]),
      );
      await client.open(`${folder}/run.sh`, megatronScript(refused));
      expect(codes(await client.diagnostics(`${folder}/run.sh`, 1))).toContain(refusedRule);
      await client.stop();
      expect(await exit).toBe(0);
    },
  );

  test('exits with 1 if shutdown came before initialize and was refused', async () => {
    const { client, exit } = builtServer();
    await expect(client.connection.sendRequest('shutdown')).rejects.toMatchObject({ code: -32002 });
    await client.connection.sendNotification('exit');
    expect(await exit).toBe(1);
  });

  test('exits when the editor is gone', async () => {
    const { client, exit } = builtServer();
    await client.initialize([folder]);
    client.connection.end();
    client.connection.dispose();
    await exit;
  });

  test.each([
    ['reads configurations from disk', ''],
    ['has the configuration of the repository in a folder within it, as on the command line', 'scripts'],
  ])('%s', async (_, folderWithin) => {
    const root = mkdtempSync(join(tmpdir(), 'oomlint-lsp-'));
    try {
      const opened = join(root, folderWithin);
      mkdirSync(join(root, '.git'));
      mkdirSync(opened, { recursive: true });
      writeFileSync(join(root, '.oomlint.yaml'), `rules:\n  ${refusedRule}: warning\n`);
      const { client, exit } = builtServer();
      await client.initialize([fileUri(opened)]);
      const uri = fileUri(join(opened, 'run.sh'));
      await client.open(uri, megatronScript(refused));
      const found = await client.diagnostics(uri, 1);
      expect(found.find(({ code }) => code === refusedRule)?.severity).toBe(2);
      await client.stop();
      await exit;
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  test('a YAML file of 10,000 keys and a script of 5,000 lines stay responsive', async () => {
    const { client, exit } = builtServer();
    await client.initialize([folder]);
    const yaml = `${folder}/wide.yaml`;
    const wide = `${arealConfig()}\nextra:\n${Array.from({ length: 10_000 }, (_, at) => `  key_${at}: ${at}`).join('\n')}\n`;
    await client.open(yaml, wide, 'yaml');
    await client.diagnostics(yaml, 1);
    await medianEdit(client, yaml, (at) => `${wide}# ${at}\n`);
    const yamlTime = await medianEdit(client, yaml, (at) => `${wide}# ${at}\n`);
    const script = `${folder}/long.sh`;
    const long = megatronScript(
      '',
      Array.from({ length: 5000 }, (_, at) => `VALUE_${at}=$((${at} + 1)) # a line of a long script\n`).join(
        '',
      ),
    );
    await client.open(script, long);
    await client.diagnostics(script, 1);
    await medianEdit(client, script, (at) => `${long}# ${at}\n`);
    const scriptTime = await medianEdit(client, script, (at) => `${long}# ${at}\n`);
    console.log(
      `10,000 keys: ${yamlTime.toFixed(0)} ms an edit; 5,000 lines: ${scriptTime.toFixed(0)} ms an edit`,
    );
    // Far above any real figure, which the benchmark tracks: this only detects unbounded growth.
    expect(yamlTime).toBeLessThan(10_000);
    expect(scriptTime).toBeLessThan(10_000);
    await client.stop();
    await exit;
  });
});

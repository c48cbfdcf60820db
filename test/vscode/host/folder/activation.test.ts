import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { suite, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import { diagnostics, extensionId, file, finding, open, reset, until } from '../support.ts';

/** The part of the extension that talks to a server. */
const languageClient = 'languageClient.cjs';

/** Whether the extension host has loaded a file of the extension; everything in the host shares one module cache. */
function isLoaded(name: string): boolean {
  return Object.keys(require.cache).some((path) => path.endsWith(join('dist', name)));
}

async function debugInformation(): Promise<string> {
  await vscode.commands.executeCommand('oomlint.collectDebugInformation');
  const report = vscode.window.activeTextEditor?.document;
  const text = report?.getText() ?? '';
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  // Until the workbench has released it, a new report gets its name and text.
  await until('the report to go', () =>
    report !== undefined && vscode.workspace.textDocuments.includes(report) ? undefined : true,
  );
  return text;
}

suite('start', () => {
  teardown(reset);

  test('activation loads little, and starts no server for a script with none of our frameworks', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension);
    assert.equal(extension.isActive, false);
    const start = performance.now();
    const before = process.cpuUsage();
    await extension.activate();
    const { user, system } = process.cpuUsage(before);
    // This includes whatever else the extension host does meanwhile: a figure to read, not one to judge by.
    console.log(
      `activation: ${((user + system) / 1000).toFixed(1)} ms of processor time, ${(performance.now() - start).toFixed(1)} ms by the clock`,
    );
    assert.ok(isLoaded('client.cjs'));
    assert.ok(
      !isLoaded(languageClient),
      'the language client takes most of the time: it comes with the first file',
    );
    const notes = await open(file('notes.sh'));
    assert.equal(notes.languageId, 'shellscript');
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.match(await debugInformation(), /- server: idle/);
    assert.ok(!isLoaded(languageClient));
  });

  test('the first launch script starts the server', async () => {
    await open(file('scripts', 'pretrain.sh'));
    await finding(file('scripts', 'pretrain.sh'), 'megatron-lm/positions-cover-sequence');
    const text = await debugInformation();
    assert.match(text, /- server: running/);
    assert.ok(isLoaded(languageClient));
    assert.match(text, /- linted: megatron-lm/);
    assert.doesNotMatch(text, /pretrain/, 'the report holds no file names');
  });

  test('a restart keeps the findings of open files', async () => {
    const uri = file('scripts', 'pretrain.sh');
    await open(uri);
    await finding(uri, 'megatron-lm/positions-cover-sequence');
    await vscode.commands.executeCommand('oomlint.restart');
    await finding(uri, 'megatron-lm/positions-cover-sequence');
  });

  test('the setting turns linting off and on again', async () => {
    const uri = file('scripts', 'pretrain.sh');
    await open(uri);
    await finding(uri, 'megatron-lm/positions-cover-sequence');
    const settings = vscode.workspace.getConfiguration('oomlint');
    await settings.update('enable', false, vscode.ConfigurationTarget.Global);
    try {
      await until('no findings', () => (diagnostics(uri).length === 0 ? true : undefined));
    } finally {
      await settings.update('enable', undefined, vscode.ConfigurationTarget.Global);
    }
    await finding(uri, 'megatron-lm/positions-cover-sequence');
  });
});

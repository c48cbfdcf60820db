import { strict as assert } from 'node:assert';
import { suite, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import { diagnostics, extensionId, file, finding, open, reset, until } from '../support.ts';

/** Most processor time in milliseconds that activation may take; the clock would measure what else the machine does. */
const longestActivation = 100;

/** Waits until the extension host has little to do for others. */
async function idle(): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const before = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 250));
    const { user, system } = process.cpuUsage(before);
    if (user + system < 15_000) return;
  }
}

async function debugInformation(): Promise<string> {
  await vscode.commands.executeCommand('oomlint.collectDebugInformation');
  const text = vscode.window.activeTextEditor?.document.getText() ?? '';
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  return text;
}

suite('start', () => {
  teardown(reset);

  test('activation is fast, and starts no server for a script that is none of ours', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension);
    assert.equal(extension.isActive, false);
    await idle();
    const start = performance.now();
    const before = process.cpuUsage();
    await extension.activate();
    const { user, system } = process.cpuUsage(before);
    const took = (user + system) / 1000;
    console.log(
      `activation: ${took.toFixed(1)} ms of processor time, ${(performance.now() - start).toFixed(1)} ms by the clock`,
    );
    assert.ok(took < longestActivation, `activation took ${took.toFixed(1)} ms of processor time`);
    const notes = await open(file('notes.sh'));
    assert.equal(notes.languageId, 'shellscript');
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.match(await debugInformation(), /- server: idle/);
  });

  test('the first launch script starts the server', async () => {
    await open(file('scripts', 'pretrain.sh'));
    await finding(file('scripts', 'pretrain.sh'), 'megatron-lm/positions-cover-sequence');
    const text = await debugInformation();
    assert.match(text, /- server: running/);
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

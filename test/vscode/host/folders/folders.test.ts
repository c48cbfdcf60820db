import { strict as assert } from 'node:assert';
import { suite, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import { MemoryFiles } from '../memoryFiles.ts';
import { diagnostics, finding, folder, gone, open, provided, reset, ruleOf, until } from '../support.ts';

const quiet = folder(0);
const whole = folder(1);
const scriptOf = (root: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(root, 'scripts', 'pretrain.sh');
const configOf = (root: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(root, 'scripts', 'gsm8k.yaml');
const positions = 'megatron-lm/positions-cover-sequence';
const offload = 'megatron-lm/cpu-offload-needs-one-stage';
const budget = 'areal/token-budget-below-sequence';

suite('several folders', () => {
  teardown(reset);

  test('a folder with all files linted shows findings without an editor, the other does not', async () => {
    await vscode.extensions.getExtension('oomlint.oomlint')?.activate();
    await finding(configOf(whole), budget);
    await finding(scriptOf(whole), positions);
    assert.deepEqual(diagnostics(configOf(quiet)), []);
    assert.deepEqual(diagnostics(scriptOf(quiet)), []);
  });

  test('a file shows the same findings after it is opened and closed', async () => {
    const script = scriptOf(whole);
    await finding(script, positions);
    const before = diagnostics(script).map(ruleOf).sort();
    // A document that an extension opens stays open for minutes after its editor was closed; one that the user opens does not.
    await vscode.commands.executeCommand('vscode.open', script);
    await finding(script, positions);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until('the document to close', () =>
      vscode.workspace.textDocuments.some(({ uri }) => uri.path === script.path) ? undefined : true,
    );
    await finding(script, positions);
    assert.deepEqual(diagnostics(script).map(ruleOf).sort(), before);
  });

  test('each folder has its own configuration', async () => {
    await open(scriptOf(quiet));
    await finding(scriptOf(quiet), offload);
    await gone(scriptOf(quiet), positions);
    await open(scriptOf(whole));
    await finding(scriptOf(whole), positions);
  });

  test('each folder has its own settings', async () => {
    const lensesOf = (uri: vscode.Uri): Thenable<vscode.CodeLens[]> =>
      vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 10);
    await open(scriptOf(quiet));
    await finding(scriptOf(quiet), offload);
    await provided<vscode.CodeLens>('a lens', 'vscode.executeCodeLensProvider', scriptOf(quiet), 10);
    await open(scriptOf(whole));
    await finding(scriptOf(whole), positions);
    assert.deepEqual(await lensesOf(scriptOf(whole)), []);
  });

  test('files changed while not open are linted again', async () => {
    const added = vscode.Uri.joinPath(whole, 'scripts', 'copy.sh');
    const cluster = vscode.Uri.joinPath(whole, 'scripts', 'cluster.sh');
    const text = await vscode.workspace.fs.readFile(scriptOf(whole));
    const machine = await vscode.workspace.fs.readFile(cluster);
    await vscode.workspace.fs.writeFile(added, text);
    await finding(added, offload);
    const one = new TextDecoder().decode(machine).replace('PP=2', 'PP=1');
    await vscode.workspace.fs.writeFile(cluster, new TextEncoder().encode(one));
    await gone(added, offload);
    await vscode.workspace.fs.writeFile(cluster, machine);
    await finding(added, offload);
    await vscode.workspace.fs.delete(added);
    await gone(added, offload);
    assert.deepEqual(diagnostics(added), []);
  });

  test('a folder on another file system is served as soon as it is added, with what its scripts source there', async () => {
    await open(scriptOf(quiet));
    await finding(scriptOf(quiet), offload);
    const files = new Map([
      ['/project/run.sh', await vscode.workspace.fs.readFile(scriptOf(quiet))],
      ['/project/cluster.sh', new TextEncoder().encode('PP=2\n')],
    ]);
    vscode.workspace.registerFileSystemProvider('memory', new MemoryFiles(files));
    const root = vscode.Uri.from({ scheme: 'memory', path: '/project' });
    assert.ok(vscode.workspace.updateWorkspaceFolders(2, 0, { uri: root, name: 'memory' }));
    const script = vscode.Uri.joinPath(root, 'run.sh');
    await until('the folder', () => vscode.workspace.getWorkspaceFolder(script));
    await open(script);
    await finding(script, offload);
    await gone(script, 'missing-source');
  });

  test('removing a folder removes its findings', async () => {
    await finding(configOf(whole), budget);
    assert.ok(vscode.workspace.updateWorkspaceFolders(1, 1));
    await gone(configOf(whole), budget);
    await gone(scriptOf(whole), positions);
  });
});

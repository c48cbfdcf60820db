import { strict as assert } from 'node:assert';
import { suite, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import { diagnostics, file, finding, gone, open, reset, ruleOf, until } from '../support.ts';

const script = file('scripts', 'pretrain.sh');
const positions = 'megatron-lm/positions-cover-sequence';

async function write(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

suite('commands', () => {
  teardown(reset);

  test('the whole workspace is linted, including files that are not open', async () => {
    const result = await vscode.commands.executeCommand<{
      readonly files: number;
      readonly recognised: number;
      readonly cancelled: boolean;
    }>('oomlint.lintWorkspace');
    assert.equal(result.cancelled, false);
    assert.ok(result.files >= 4, `${result.files} files`);
    assert.ok(result.recognised >= 2, `${result.recognised} recognised`);
    const config = file('scripts', 'gsm8k.yaml');
    await until('findings of a file that is not open', () =>
      diagnostics(config).some((found) => ruleOf(found) === 'areal/token-budget-below-sequence')
        ? true
        : undefined,
    );
  });

  test('a new configuration opens, and takes effect at once', async () => {
    const config = file('.oomlint.yaml');
    await open(script);
    await finding(script, positions);
    await vscode.commands.executeCommand('oomlint.createConfig');
    try {
      assert.equal(vscode.window.activeTextEditor?.document.uri.path, config.path);
      await finding(script, positions);
      await write(config, `rules:\n  ${positions}: off\n`);
      await gone(script, positions);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await vscode.workspace.fs.delete(config);
    }
    await finding(script, positions);
  });

  test('an existing configuration opens under any of its names', async () => {
    const config = file('.oomlint.yml');
    await write(config, 'rules: {}\n');
    await vscode.commands.executeCommand('oomlint.createConfig');
    try {
      assert.equal(vscode.window.activeTextEditor?.document.uri.path, config.path);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await vscode.workspace.fs.delete(config);
    }
  });

  test('a rule is explained from the package', async () => {
    await vscode.commands.executeCommand('oomlint.explainRule', positions);
    const page = await vscode.workspace.openTextDocument(
      vscode.Uri.from({ scheme: 'oomlint-rule', path: `/${positions}.md` }),
    );
    assert.match(page.getText(), new RegExp(`# ${positions}`));
    assert.match(page.getText(), /Severity \| error/);
  });

  test('the example shows findings without being saved', async () => {
    await vscode.commands.executeCommand('oomlint.openExample');
    const uri = vscode.window.activeTextEditor?.document.uri;
    assert.equal(uri?.scheme, 'untitled');
    await finding(uri, 'megatron-lm/world-size-divides');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('the task lints the folder', async () => {
    const tasks = await vscode.tasks.fetchTasks({ type: 'oomlint' });
    const task = tasks[0];
    assert.ok(task, 'a task is offered');
    const ended = new Promise<void>((resolve) => {
      const listener = vscode.tasks.onDidEndTask(({ execution }) => {
        if (execution.task.name !== task.name) return;
        listener.dispose();
        resolve();
      });
    });
    await vscode.tasks.executeTask(task);
    await ended;
    await finding(file('scripts', 'gsm8k.yaml'), 'areal/token-budget-below-sequence');
  });
});

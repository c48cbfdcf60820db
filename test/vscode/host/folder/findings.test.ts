import { strict as assert } from 'node:assert';
import { suite, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import { diagnostics, file, finding, gone, open, provided, rangeOf, replace, reset } from '../support.ts';

const script = file('scripts', 'pretrain.sh');
const cluster = file('scripts', 'cluster.sh');
const offload = 'megatron-lm/cpu-offload-needs-one-stage';
const positions = 'megatron-lm/positions-cover-sequence';

/** The actions of the light bulb at the finding of a rule in the script, with their edits. */
async function quickFixes(rule: string): Promise<vscode.CodeAction[]> {
  const { range } = await finding(script, rule);
  return provided(
    'fixes',
    'vscode.executeCodeActionProvider',
    script,
    range,
    vscode.CodeActionKind.QuickFix.value,
    20,
  );
}

suite('findings', () => {
  teardown(reset);

  test('a finding has its exact place, rule, link and related places in other files', async () => {
    const document = await open(script);
    const found = await finding(script, offload);
    assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
    assert.equal(document.lineAt(found.range.start.line).text.trim(), '--cpu-offloading-num-layers 8');
    assert.ok(typeof found.code === 'object' && found.code.target.path.endsWith(`${offload}.md`));
    const places = found.relatedInformation ?? [];
    assert.ok(
      places.some(({ location }) => location.uri.path === cluster.path),
      'the number of stages comes from cluster.sh',
    );
  });

  test('a template of YAML is served whatever its language is called', async () => {
    const template = file('job.yaml.j2');
    const text =
      'kind: Job\nspec:\n  command: ["torchrun", "--nproc_per_node", "8", "pretrain_gpt.py", "--num-layers", "30", "--hidden-size", "8", "--num-attention-heads", "1", "--pipeline-model-parallel-size", "4"]\n';
    await vscode.workspace.fs.writeFile(template, Buffer.from(text));
    assert.notEqual((await open(template)).languageId, 'yaml');
    await finding(template, 'megatron-lm/layers-divide-stages');
    await vscode.workspace.fs.delete(template);
  });

  test('an edit is seen before it is saved', async () => {
    const document = await open(script);
    await finding(script, positions);
    await replace(document, '--max-position-embeddings 4096', '--max-position-embeddings 8192');
    await gone(script, positions);
  });

  test('an edit of a sourced file refreshes the script that uses it', async () => {
    await open(script);
    await finding(script, offload);
    await replace(await open(cluster), 'PP=2', 'PP=1');
    await gone(script, offload);
  });

  test('nothing is left after the file is closed', async () => {
    await open(script);
    await finding(script, positions);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await gone(script, positions);
    assert.deepEqual(diagnostics(script), []);
  });

  test('a fix changes the text and removes the finding', async () => {
    const document = await open(script);
    const actions = await quickFixes(positions);
    const fix = actions.find(({ title }) => title.startsWith('Allow as many positions'));
    assert.ok(fix?.edit, `a fix with an edit is among ${actions.map(({ title }) => title).join('; ')}`);
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    await gone(script, positions);
    assert.match(document.getText(), /--max-position-embeddings 8192/);
  });

  test('a fix may be in the sourced file', async () => {
    await open(script);
    const actions = await quickFixes(offload);
    const fix = actions.find(({ title }) => title.startsWith('Use one pipeline stage'));
    assert.ok(fix?.edit);
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    await gone(script, offload);
    const document = await vscode.workspace.openTextDocument(cluster);
    assert.match(document.getText(), /^PP=1$/m);
  });

  test('a comment suppresses a finding', async () => {
    const document = await open(script);
    const actions = await quickFixes(positions);
    const suppress = actions.find(
      ({ title }) => /in this file/.test(title) && /^(Suppress|Disable)/.test(title),
    );
    assert.ok(suppress?.edit, actions.map(({ title }) => title).join('; '));
    assert.ok(await vscode.workspace.applyEdit(suppress.edit));
    await gone(script, positions);
    rangeOf(document, `oomlint-disable-file ${positions}`);
  });
});

import { strict as assert } from 'node:assert';
import { suite, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import { file, finding, gone, open, provided, rangeOf, replace, reset } from '../support.ts';

const script = file('scripts', 'pretrain.sh');
const positions = 'megatron-lm/positions-cover-sequence';
const offload = 'megatron-lm/cpu-offload-needs-one-stage';

suite('restricted mode', () => {
  teardown(reset);

  test('everything works in an untrusted workspace', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const document = await open(script);
    await finding(script, positions);
    await finding(script, offload);
    const at = rangeOf(document, '--tensor-model-parallel-size').start.translate(0, 4);
    await provided<vscode.Hover>('a hover', 'vscode.executeHoverProvider', script, at);
    await replace(document, '--max-position-embeddings 4096', '--max-position-embeddings 8192');
    await gone(script, positions);
    const result = await vscode.commands.executeCommand<{ readonly recognised: number }>(
      'oomlint.lintWorkspace',
    );
    assert.ok(result.recognised >= 2, `${result.recognised} recognised`);
  });

  test('nothing in a script is executed', async () => {
    const mark = file('executed');
    const trap = file('trap.sh');
    const text = `#!/bin/bash
touch ${mark.path}
SIZE=$(touch ${mark.path}; echo 2)
source <(touch ${mark.path})
torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 \\
  --tensor-model-parallel-size $SIZE --seq-length 8192 --max-position-embeddings 4096 --micro-batch-size 1
`;
    await vscode.workspace.fs.writeFile(trap, new TextEncoder().encode(text));
    try {
      await open(trap);
      await finding(trap, positions);
      await vscode.commands.executeCommand('oomlint.showResolved');
      await assert.rejects(async () => vscode.workspace.fs.stat(mark), /FileNotFound|ENOENT/);
    } finally {
      await vscode.workspace.fs.delete(trap);
    }
  });
});

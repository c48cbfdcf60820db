import * as vscode from 'vscode';

/** A launch script that is rejected at startup, for the first step of the walkthrough. */
const script = `#!/bin/bash
# A training job that would fail: let oomlint say why, before it takes the GPUs.
export CUDA_DEVICE_MAX_CONNECTIONS=1

TP=4
PP=3

MODEL_ARGS=(
  --num-layers 32
  --hidden-size 4096
  --num-attention-heads 32
  --seq-length 8192
  --max-position-embeddings 4096
)

torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py \\
  --tensor-model-parallel-size $TP \\
  --pipeline-model-parallel-size $PP \\
  "\${MODEL_ARGS[@]}" \\
  --lr 1.5e-4 --train-iters 1000 --eval-interval 1000 \\
  --micro-batch-size 1 \\
  --global-batch-size 256
`;

/** The command that opens an example with problems in it; nothing is written to disk. */
export function registerExample(): vscode.Disposable {
  return vscode.commands.registerCommand('oomlint.openExample', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'shellscript', content: script });
    await vscode.window.showTextDocument(document);
  });
}

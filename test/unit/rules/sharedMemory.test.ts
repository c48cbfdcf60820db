import { describe, expect, it } from 'vitest';
import { lintFile } from '../../support/lintFile.ts';

const rule = 'container-without-shared-memory';

function lint(text: string) {
  return lintFile('/repository/run.sh', text).findings.filter((finding) => finding.rule === rule);
}

const image = 'nvcr.io/nvidia/pytorch:25.04-py3';

/** A training job in a container. */
function inContainer(options: string, start = 'torchrun --nproc_per_node 8'): string {
  return `docker run ${options} ${image} ${start} pretrain_gpt.py --num-layers 8 --hidden-size 512\n`;
}

describe(rule, () => {
  it.each([
    inContainer('--gpus all --rm'),
    inContainer('--gpus all -it -v $HOME/data:/data -w /data'),
    inContainer('--gpus all -v /data/$USER:/data'),
    `docker run --gpus all ${image} bash -c 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 8 --hidden-size 512'\n`,
    inContainer('--gpus all').replace('docker run', 'podman run'),
  ])('is reported for %s', (text) => {
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity: 'warning', certainty: 'likely' });
    expect(finding?.message).toContain('64 MiB of shared memory, which is too little for 8 GPUs');
    const [edit] = finding?.fixes[0]?.edits ?? [];
    const fixed = `${text.slice(0, edit?.span.start)}${edit?.newText}${text.slice(edit?.span.end)}`;
    expect(fixed).toMatch(/^\w+ run --ipc=host --gpus all/);
    expect(lint(fixed)).toEqual([]);
  });

  it.each([
    inContainer('--gpus all --ipc=host'),
    inContainer('--gpus all --ipc host'),
    inContainer('--gpus all --shm-size 16g'),
    inContainer('--gpus all -v /dev/shm:/dev/shm'),
    inContainer('--gpus all --mount type=tmpfs,destination=/dev/shm'),
    inContainer('--gpus all $DOCKER_OPTIONS'),
    inContainer('--gpus all -v $MOUNT'),
    inContainer('--gpus all -v $FROM:$TO'),
    inContainer('--gpus all -v /srv/shm:$TO:rw'),
    inContainer('--gpus all --mount type=tmpfs,target=$SHM,tmpfs-size=8g'),
    inContainer('--gpus all', 'torchrun --nproc_per_node 1'),
    inContainer('--gpus all', 'torchrun --nproc_per_node $GPUS'),
    inContainer('--gpus all').replace(`docker run --gpus all ${image}`, 'docker exec trainer'),
    inContainer('--gpus all').replace(`docker run --gpus all ${image} `, ''),
  ])('is not reported for %s', (text) => {
    expect(lint(text)).toEqual([]);
  });
});

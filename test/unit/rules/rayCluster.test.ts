import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function lint(text: string, id = 'job-exceeds-ray-cluster') {
  return lintFile(path, text).findings.filter(({ rule }) => rule === id);
}

const job = (gpus: number): string =>
  `ray job submit -- python3 train.py --actor-num-nodes 1 --actor-num-gpus-per-node ${gpus} --colocate --num-rollout 8\n`;

describe('job-exceeds-ray-cluster', () => {
  it('is reported at the GPUs that the script starts Ray with', () => {
    const text = `ray start --head --port 6379 \\\n  --num-gpus 4\n${job(8)}`;
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      severity: 'warning',
      certainty: 'likely',
      message: 'The job asks Ray for 8 GPUs, and the script starts Ray with 4.',
    });
    expect(text.slice(finding?.place.span.start, finding?.place.span.end)).toBe('--num-gpus 4');
  });

  it.each([
    ['a job that fits', `ray start --head --num-gpus 8\n${job(8)}`],
    ['a job for several nodes', `ray start --head --num-gpus 8\n${job(16)}`],
    ['a number that is not known', `ray start --head --num-gpus $N\n${job(8)}`],
    ['another start', `ray start --head --num-gpus 4\nray start --address=x --num-gpus 4\n${job(8)}`],
    ['other nodes', `ray start --head --num-gpus 4\nssh b "ray start --address=x"\n${job(8)}`],
    ['a cluster that is there', `# ray start --head --num-gpus 4\n${job(8)}`],
    ['a job whose GPUs are not known', `ray start --head --num-gpus 4\n${job(8).replace(' 8 ', ' $N ')}`],
  ])('is not reported for %s', (_, text) => {
    expect(lint(text)).toEqual([]);
  });
});

describe('ray-starts-beyond-visible-devices', () => {
  const id = 'ray-starts-beyond-visible-devices';

  it('is reported at the GPUs that Ray is started with', () => {
    const text = `export CUDA_VISIBLE_DEVICES=0,1,2,3\nray start --head --num-gpus 8\n${job(4)}`;
    const [finding, ...more] = lint(text, id);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      severity: 'warning',
      certainty: 'likely',
      message: 'Ray is started with 8 GPUs, and CUDA_VISIBLE_DEVICES=0,1,2,3 lists 4.',
    });
    expect(text.slice(finding?.place.span.start, finding?.place.span.end)).toBe('--num-gpus 8');
  });

  it('is reported for a start under a condition', () => {
    const text = `export CUDA_VISIBLE_DEVICES="0,1"\nif [ -z "$X" ]; then\n  ray start --head --num-gpus=4\nfi\n${job(2)}`;
    expect(lint(text, id)).toMatchObject([{ severity: 'warning', certainty: 'likely' }]);
  });

  it.each([
    ['a start with as many', `export CUDA_VISIBLE_DEVICES=4,5\nray start --head --num-gpus 2\n${job(2)}`],
    ['a list that comes later', `ray start --head --num-gpus 8\nexport CUDA_VISIBLE_DEVICES=0,1\n${job(8)}`],
    [
      'a variable that is taken away again',
      `export CUDA_VISIBLE_DEVICES=0,1\nunset CUDA_VISIBLE_DEVICES\nray start --head --num-gpus 8\n${job(8)}`,
    ],
    ['a list that is not known', `export CUDA_VISIBLE_DEVICES=$D\nray start --head --num-gpus 8\n${job(8)}`],
    ['a comment', `# export CUDA_VISIBLE_DEVICES=0,1\nray start --head --num-gpus 8\n${job(8)}`],
  ])('is not reported for %s', (_, text) => {
    expect(lint(text, id)).toEqual([]);
  });
});

describe('a ray start command', () => {
  const rules = ['unknown-option', 'exclusive-options', 'required-option'];
  const reported = (line: string) =>
    lintFile(path, `${line}\n${job(8).replace('8\n', '8 --rollout-batch-size 8\n')}`)
      .findings.filter(({ rule }) => rules.includes(rule))
      .map(({ severity, message }) => `${severity} ${message}`);

  it.each([
    ['ray start --num-gpus 8', ['error --head or --address is required and missing.']],
    ['ray start --address=$A:6379 --port 6379', ['error --port cannot be combined with --address.']],
    [
      'ray start --head --num_gpus 8',
      ['error --num_gpus is not an option here. ray start does not know it. Did you mean --num-gpus?'],
    ],
    [
      'ray start --head --num-gpu 8',
      ['error --num-gpu is not an option here. ray start does not know it. Did you mean --num-gpus?'],
    ],
    ['ray start --head --port 6379 --block --num-tpus 8', []],
    ['ray start --address=$A:6379 --block --temp-dir /x --labels a=b', []],
    ['ray start $OPTIONS --num-gpus 8', []],
    ['ray start --help', []],
  ])('is checked: %s', (line, messages) => {
    expect(reported(line)).toEqual(messages);
  });

  it.each([
    ['ray start --num-gpus 8', ['ray start --head --num-gpus 8']],
    ['nohup ray start', ['nohup ray start --head']],
    // This one joins another cluster, at an unknown address.
    ['ray start --head\nray start --num-gpus 8', []],
  ])('starts a cluster if no other one does: %s', (lines, mended) => {
    const text = `${lines}\n${job(8)}`;
    const [found] = lintFile(path, text).findings.filter(({ message }) => message.startsWith('--head or'));
    expect(found).toBeDefined();
    expect(found?.fixes.map(({ edits }) => applyEdits(text, edits))).toEqual(
      mended.map((line) => `${line}\n${job(8)}`),
    );
  });
});

describe('a value that ray start refuses', () => {
  it.each([
    ['ray start --head --num-gpus eight', '--num-gpus takes a whole number, not eight.'],
    ['nohup ray start --head --port=63x79', '--port takes a whole number, not 63x79.'],
    [
      'ray start --head --object-store-memory 100GB',
      '--object-store-memory takes a whole number of bytes, not 100GB.',
    ],
    ['ray start --head --include-dashboard=maybe', '--include-dashboard takes true or false, not maybe.'],
    ["ray start --head --resources 'gpu=8'", '--resources takes a JSON object, not gpu=8.'],
    [
      'ray --logging-level=debug start --head --num-cpus ""',
      '--num-cpus takes a whole number, not an empty text.',
    ],
  ])('is reported: %s', (line, message) => {
    expect(lint(`${line}\n${job(8)}`, 'invalid-value').map((finding) => finding.message)).toEqual([message]);
  });

  it.each([
    'ray start --head --num-gpus 8 --port $PORT',
    'ray start --head --include-dashboard=False --memory 100000 --resources \'{"a": 1}\'',
    'ray start --head --num-gpus "$(nvidia-smi -L | wc -l)"',
    'ray status --num-gpus eight',
    'echo ray start --num-gpus eight',
  ])('is not reported: %s', (line) => {
    expect(lint(`${line}\n${job(8)}`, 'invalid-value')).toEqual([]);
  });
});

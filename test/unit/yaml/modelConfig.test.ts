import { expect, test } from 'vitest';
import { display } from '../../../server/src/value/word.ts';
import { modelConfig } from '../../../server/src/yaml/modelConfig.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';

const read = (text: string, key?: string) => {
  const [document] = parseYaml('/model_config.yaml', text);
  return document === undefined ? undefined : modelConfig(document, key);
};

const text = `ENV_VARS:
  CUDA_DEVICE_MAX_CONNECTIONS: 1
  CUBLAS_WORKSPACE_CONFIG: :4096:8
  DIR: \${OUT}/x
MODE: rl
MODEL_ARGS:
  --bf16: true
  --lr: 4.5e-4 # rate
  --recompute-modules: "[layernorm moe_act]"
  --moe-layer-freq: ([0]*3+[1]*11)
  --hybrid-layer-pattern: M-M*-E|(ME)*2
  --save: \${CHECKPOINT_SAVE_PATH}/a
  --step: "0:384 200B:768"
  --data: $DATA_BLEND
  --use-thing: false
  --empty: ""
  --list: [a, b]
MODEL_ARGS_2:
  --other: 1
`;

test('splits values at blanks as the earlier runner did', () => {
  const [document] = parseYaml('/model_config.yaml', 'MODEL_ARGS:\n  --step: "1 2 3"\n  --lr: 1e-4\n');
  const config = document === undefined ? undefined : modelConfig(document, 'MODEL_ARGS', true);
  expect(config?.words.map(display)).toEqual(['--step', '1', '2', '3', '--lr', '1e-4']);
});

test('turns arguments into the words that the runner makes', () => {
  const config = read(text);
  expect(config?.words.map(display)).toEqual([
    '--bf16',
    '--lr',
    '4.5e-4',
    '--recompute-modules',
    'layernorm',
    'moe_act',
    '--moe-layer-freq',
    '([0]*3+[1]*11)',
    '--hybrid-layer-pattern',
    'M-M*-E|(ME)*2',
    '--save',
    '${CHECKPOINT_SAVE_PATH}/a',
    '--step',
    '0:384 200B:768',
    '--data',
    '$DATA_BLEND',
    '--use-thing',
    'false',
    '--list',
    '--list',
  ]);
  expect(
    config?.words.map((word) => word.pieces.some((piece) => piece.kind === 'hole')).filter(Boolean),
  ).toHaveLength(3);
  expect(config?.mode).toBe('rl');
});

test('keeps the place of every word', () => {
  for (const word of read(text)?.words ?? [])
    for (const piece of word.pieces)
      if (piece.kind === 'text')
        expect(text.slice(piece.origin.place.span.start, piece.origin.place.span.end)).toBe(piece.text);
});

test('reads the environment and later runs', () => {
  const env = read(text)?.env ?? new Map();
  expect([...env].map(([name, word]) => `${name}=${display(word)}`)).toEqual([
    'CUDA_DEVICE_MAX_CONNECTIONS=1',
    'CUBLAS_WORKSPACE_CONFIG=:4096:8',
    'DIR=${OUT}/x',
  ]);
  expect(read(text, 'MODEL_ARGS_2')?.words.map(display)).toEqual(['--other', '1']);
  expect(read('a: 1\n')).toBeUndefined();
});

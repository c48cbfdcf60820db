import { beforeEach, describe, expect, test } from 'vitest';
import type { DocumentLink, Hover, Location, Position } from 'vscode-languageserver/node';
import type { InProcess } from './client.ts';
import { folder, model, modelPath, started, uri } from './setup.ts';
import { arealConfig, mainScript, megatronScript, modelFile, positionOf, textAt } from './texts.ts';

let server: InProcess;
beforeEach(async () => {
  server = await started();
});

describe('between files', () => {
  beforeEach(() => {
    server.files[modelPath] = modelFile('8');
  });

  test('definition and references of a variable and of a setting', async () => {
    const { client } = server;
    await client.open(uri, mainScript);
    const array: Location[] = await client.request('textDocument/definition', uri, {
      position: positionOf(mainScript, '${MODEL_ARGS[@]}'),
    });
    expect(array.map((one) => one.uri)).toEqual([model]);
    const text = megatronScript();
    const other = `${folder}/other.sh`;
    await client.open(other, text);
    const value: Location[] = await client.request('textDocument/definition', other, {
      position: positionOf(text, '$TP'),
    });
    expect(value.map(({ range }) => textAt(text, range))).toEqual([expect.stringMatching(/^(TP=)?2$/)]);
    const all: Location[] = await client.request('textDocument/references', other, {
      position: positionOf(text, '$TP'),
      context: { includeDeclaration: true },
    });
    expect(all.length).toBeGreaterThanOrEqual(2);
  });

  test('a YAML key is not taken for the variable that a number above it sets', async () => {
    const { client } = server;
    const job = `${folder}/job.yaml`;
    const text = `num_nodes: 2
envs:
  TP: 4
run: |
  torchrun --nproc_per_node 8 --nnodes $SKYPILOT_NUM_NODES pretrain_gpt.py --num-layers 8 --tensor-model-parallel-size $TP
`;
    await client.open(job, text, 'yaml');
    const all = (position: Position): Promise<Location[]> =>
      client.request('textDocument/references', job, { position, context: { includeDeclaration: true } });
    expect(await all({ line: 2, character: 3 })).toEqual([]);
    expect(await all({ line: 0, character: 11 })).toHaveLength(2);
  });

  test('references without the declaration omit assignments and the place where the value is written', async () => {
    const { client } = server;
    const text = megatronScript();
    await client.open(uri, text);
    const found = async (part: string, includeDeclaration: boolean): Promise<string[]> => {
      const all: Location[] = await client.request('textDocument/references', uri, {
        position: positionOf(text, part),
        context: { includeDeclaration },
      });
      return all.map(({ range }) => textAt(text, range)).sort();
    };
    expect(await found('$TP', true)).toEqual(['$TP', 'TP=2']);
    expect(await found('$TP', false)).toEqual(['$TP']);
    expect(await found('--hidden-size', true)).toEqual(['--hidden-size', '512']);
    expect(await found('--hidden-size', false)).toEqual(['--hidden-size']);
  });

  test('a deprecated flag in a sourced file is shown where the script passes it on', async () => {
    const { client } = server;
    server.files[modelPath] = modelFile('8').replace(')', '  --use-rotary-position-embeddings\n)');
    await client.open(uri, mainScript);
    const found = (await client.diagnostics(uri, 1)).find(({ code }) => code === 'deprecated-option');
    expect(found === undefined ? '' : textAt(mainScript, found.range)).toBe('${MODEL_ARGS[@]}');
    expect(found?.relatedInformation?.map(({ location }) => location.uri)).toEqual([model]);
  });

  test('links to sourced files and to files that settings name', async () => {
    const { client } = server;
    server.files['/repository/data/eval.yaml'] = 'eval: {}\n';
    const text = mainScript.replace('--mock-data', '--load data/eval.yaml --save data/none --mock-data');
    await client.open(uri, text);
    const links: DocumentLink[] = await client.request('textDocument/documentLink', uri);
    expect(links.map(({ target }) => target)).toEqual(
      expect.arrayContaining([model, `${folder}/data/eval.yaml`]),
    );
    expect(links.map(({ target }) => target).join(' ')).not.toContain('none');
  });

  test('links do not overlap, and lead to the file whose path is written', async () => {
    const { client } = server;
    for (const path of ['a/env.sh', 'b/env.sh', 'big-env.sh']) server.files[`/repository/${path}`] = 'X=1\n';
    const text = '#!/bin/bash\nsource a/env.sh\nsource b/env.sh\n. big-env.sh\nbash b/env.sh\n';
    await client.open(uri, text);
    const links: DocumentLink[] = await client.request('textDocument/documentLink', uri);
    expect(links.map(({ range, target }) => `${textAt(text, range)} ${target}`)).toEqual([
      `a/env.sh ${folder}/a/env.sh`,
      `b/env.sh ${folder}/b/env.sh`,
      `big-env.sh ${folder}/big-env.sh`,
      `b/env.sh ${folder}/b/env.sh`,
    ]);
  });

  test('flags in a sourced file have the values of the script that uses it, and link there', async () => {
    const { client } = server;
    await client.open(model, modelFile('8'));
    const position = positionOf(modelFile('8'), 'hidden-size');
    const alone: Hover | null = await client.request('textDocument/hover', model, { position });
    expect(JSON.stringify(alone?.contents)).toContain('Default: ');
    expect(JSON.stringify(alone?.contents)).not.toContain('In force');
    await client.open(uri, mainScript);
    await client.diagnostics(uri, 1);
    const used: Hover | null = await client.request('textDocument/hover', model, { position });
    expect(JSON.stringify(used?.contents)).toContain('In force: `512`');
    const [value]: Location[] = await client.request('textDocument/definition', model, { position });
    expect(value === undefined ? '' : textAt(modelFile('8'), value.range)).toBe('512');
    const uses: Location[] = await client.request('textDocument/references', model, {
      position: positionOf(modelFile('8'), 'ODEL_ARGS'),
      context: { includeDeclaration: true },
    });
    expect(uses.map((one) => one.uri)).toEqual(expect.arrayContaining([model, uri]));
  });

  test('links to programs and configurations that the command names', async () => {
    const { client } = server;
    server.files['/repository/train/gsm8k.py'] = '';
    server.files['/repository/configs/gsm8k.yaml'] = arealConfig();
    await client.open(
      uri,
      '#!/bin/bash\npython3 train/gsm8k.py --config configs/gsm8k.yaml scheduler.type=local\n',
    );
    const links: DocumentLink[] = await client.request('textDocument/documentLink', uri);
    expect(links.map(({ target }) => target).sort()).toEqual([
      `${folder}/configs/gsm8k.yaml`,
      `${folder}/train/gsm8k.py`,
    ]);
  });
});

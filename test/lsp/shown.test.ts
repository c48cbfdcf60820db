import { beforeEach, describe, expect, test } from 'vitest';
import type {
  CodeLens,
  DocumentSymbol,
  InlayHint,
  SemanticTokens,
  SignatureHelp,
  SymbolInformation,
} from 'vscode-languageserver/node';
import { legend } from '../../server/src/lsp/protocol/capabilities.ts';
import { type InProcess, pushCapabilities } from './client.ts';
import { everything, folder, model, modelPath, started, uri } from './setup.ts';
import { arealConfig, mainScript, marked, megatronScript, modelFile, positionOf, refused } from './texts.ts';

let server: InProcess;
beforeEach(async () => {
  server = await started();
});

/** The type and modifiers of each token, by its text. */
function tokensIn(text: string, { data }: SemanticTokens): Map<string, string> {
  const lines = text.split('\n');
  const tokens = new Map<string, string>();
  let line = 0;
  let character = 0;
  for (let at = 0; at < data.length; at += 5) {
    const [down = 0, right = 0, length = 0, type = 0, bits = 0] = data.slice(at, at + 5);
    line += down;
    character = down === 0 ? character + right : right;
    const names = legend.tokenModifiers.filter((_, bit) => (bits & (1 << bit)) !== 0);
    tokens.set(
      lines[line]?.slice(character, character + length) ?? '',
      [legend.tokenTypes[type], ...names].join(' '),
    );
  }
  return tokens;
}

describe('hints, lenses, tokens, symbols', () => {
  test('inlay hints: values after variables in launch words', async () => {
    const text = megatronScript(' --tensorboard-dir "/logs/tp${TP}_x"', 'echo "$HOME and $TP"\n');
    await server.client.open(uri, text);
    const hints: InlayHint[] = await server.client.request('textDocument/inlayHint', uri, {
      range: everything,
    });
    const at = (label: RegExp): string[] =>
      hints
        .filter((hint) => typeof hint.label === 'string' && label.test(hint.label))
        .map(({ position }) => text.split('\n')[position.line]?.slice(0, position.character) ?? '');
    expect(at(/^= 2$/)).toEqual(['  --tensor-model-parallel-size $TP']);
    expect(at(/DP 4/)).toEqual([]);
  });

  test('inlay hints: the layout after the command if no lens shows it', async () => {
    const other = await started(pushCapabilities, { codeLens: { enable: false } });
    await other.client.open(uri, megatronScript());
    const hints: InlayHint[] = await other.client.request('textDocument/inlayHint', uri, {
      range: everything,
    });
    expect(hints.filter(({ label }) => typeof label === 'string' && /DP 4/.test(label))).toHaveLength(1);
  });

  test('inlay hints: tokens of a sequence after a budget', async () => {
    const script = `python3 train.py --rollout-max-response-len 8192 \\
  --max-tokens-per-gpu 4096 --hf-checkpoint /m --context-parallel-size 2 --actor-num-nodes 1 --actor-num-gpus-per-node 8 --num-layers 2
`;
    await server.client.open(uri, `#!/bin/bash\n# slime\n${script}`);
    const hints: InlayHint[] = await server.client.request('textDocument/inlayHint', uri, {
      range: everything,
    });
    expect(hints.map(({ label }) => label)).toContain('= 1 × 8192 tokens');
  });

  test('hints and lenses can be switched off', async () => {
    const other = await started(pushCapabilities, {
      inlayHints: { enable: false },
      codeLens: { enable: false },
    });
    await other.client.open(uri, megatronScript());
    expect(await other.client.request('textDocument/inlayHint', uri, { range: everything })).toEqual([]);
    expect(await other.client.request('textDocument/codeLens', uri)).toEqual([]);
  });

  test('a lens over the launch: what it is, how large, how many findings', async () => {
    await server.client.open(uri, megatronScript(refused));
    const plain: CodeLens[] = await server.client.request('textDocument/codeLens', uri);
    expect(plain).toHaveLength(1);
    expect(plain[0]?.command?.title).toMatch(/Megatron-LM · 8 GPUs · TP 2 PP 2 DP 2.*error/);
    expect(plain[0]?.command?.command).toBe('');
    const other = await started(pushCapabilities, { commands: true });
    await other.client.open(uri, megatronScript(refused));
    const lenses: CodeLens[] = await other.client.request('textDocument/codeLens', uri);
    expect(lenses[0]?.command?.command).toBe('oomlint.showResolved');
  });

  test('a lens over the launch: the least memory a GPU needs, if it can be computed', async () => {
    await server.client.open(uri, megatronScript());
    const [lens]: CodeLens[] = await server.client.request('textDocument/codeLens', uri);
    expect(lens?.command?.title).toMatch(/ DP 4 · at least 0\.\d\d GiB on the fullest training GPU$/);
    await server.client.open(uri, megatronScript(' --modelopt-enabled'));
    const [without]: CodeLens[] = await server.client.request('textDocument/codeLens', uri);
    expect(without?.command?.title).not.toContain('GiB');
  });

  test('a lens over a launch on too few GPUs shows no data-parallel size', async () => {
    await server.client.open(uri, megatronScript(' --pipeline-model-parallel-size 16'));
    const [lens]: CodeLens[] = await server.client.request('textDocument/codeLens', uri);
    expect(lens?.command?.title).toMatch(/^Megatron-LM · 8 GPUs · TP 2 PP 16 · /);
  });

  test('a lens over an AReaL configuration names the engines of each role', async () => {
    const config = `${folder}/config.yaml`;
    await server.client.open(config, arealConfig(), 'yaml');
    const lenses: CodeLens[] = await server.client.request('textDocument/codeLens', config);
    expect(lenses[0]?.command?.title).toMatch(/^AReaL · 8 GPUs · rollout sglang:d4t1 · actor fsdp:d4/);
  });

  test('only clients that ask for it are told what a file was recognised as, since others warn about unknown messages', async () => {
    const other = await started(pushCapabilities, { status: true });
    for (const { client } of [server, other]) {
      await client.open(uri, megatronScript());
      await client.diagnostics(uri, 1);
      await client.settle();
    }
    expect(server.client.statuses).toEqual([]);
    expect(other.client.statuses).toMatchObject([{ uri, frameworks: ['megatron-lm'] }]);
  });

  test('the resolved command as text', async () => {
    await server.client.open(uri, megatronScript());
    const text: string = await server.client.connection.sendRequest('oomlint/resolve', { uri });
    expect(text).toContain('--tensor-model-parallel-size');
    expect(text).toMatch(/--tensor-model-parallel-size +13:3\n\s+2 +3:4 → 13:32/);
  });

  test('semantic tokens: recognised flags and variables, deprecated and unknown ones marked', async () => {
    const text = megatronScript(' \\\n  --use-rotary-position-embeddings --seed $SEED --no-such-flag');
    await server.client.open(uri, text);
    const all: SemanticTokens = await server.client.request('textDocument/semanticTokens/full', uri);
    const tokens = tokensIn(text, all);
    expect(tokens.get('--num-layers')).toBe('property');
    expect(tokens.get('--use-rotary-position-embeddings')).toBe('property deprecated');
    expect(tokens.get('--seed')).toBe('property unknown');
    expect(tokens.get('$TP')).toBe('variable');
    expect(tokens.get('$SEED')).toBe('variable unknown');
    expect(tokens.has('--no-such-flag')).toBe(false);
    const { line } = positionOf(text, '--num-layers');
    const part: SemanticTokens = await server.client.request('textDocument/semanticTokens/range', uri, {
      range: { start: { line, character: 0 }, end: { line, character: 100 } },
    });
    expect([...tokensIn(text, part).keys()]).toEqual(['--num-layers']);
  });

  test('semantic tokens of a sourced file come from the script that uses it', async () => {
    server.files[modelPath] = modelFile('8');
    await server.client.open(model, modelFile('8'));
    const tokens = (): Promise<SemanticTokens> =>
      server.client.request('textDocument/semanticTokens/full', model);
    expect((await tokens()).data).toEqual([]);
    await server.client.open(uri, mainScript);
    await server.client.diagnostics(uri, 1);
    expect(tokensIn(modelFile('8'), await tokens()).get('--hidden-size')).toBe('property');
  });

  test('symbols: launches, and roles within them', async () => {
    const script = `#!/bin/bash
uv run -m skyrl.train.entrypoints.main_base trainer.strategy=megatron \\
  trainer.policy.megatron_config.tensor_model_parallel_size=2
`;
    await server.client.open(uri, script);
    const [symbol]: DocumentSymbol[] = await server.client.request('textDocument/documentSymbol', uri);
    expect(symbol?.name).toContain('SkyRL');
    expect(symbol?.children?.map(({ name }) => name)).toContain('policy');
  });

  test('symbols: a flat list for a client that takes nothing else', async () => {
    const { client } = await started({ textDocument: {} });
    const script =
      'uv run -m skyrl.train.entrypoints.main_base trainer.strategy=megatron trainer.policy.megatron_config.tensor_model_parallel_size=2\n';
    await client.open(uri, script);
    const symbols: SymbolInformation[] = await client.request('textDocument/documentSymbol', uri);
    const [launch] = symbols;
    expect(launch).toMatchObject({ location: { uri, range: { start: { line: 0 } } } });
    expect(symbols.find(({ name }) => name === 'policy')?.containerName).toBe(launch?.name);
  });

  test('symbols: the nested settings of a configuration', async () => {
    const config = `${folder}/.oomlint.yaml`;
    const text = [
      'machine: &gpus {nodes: 2}',
      'overrides:',
      '  - paths: ["experiments/**"]',
      '    machine: *gpus',
      'constraints:',
      '  - message: "Too many."',
      '    id: our-own',
      'exclude:',
      '',
    ].join('\n');
    await server.client.open(config, text);
    const symbols: DocumentSymbol[] = await server.client.request('textDocument/documentSymbol', config);
    const outline = (some: DocumentSymbol[], indent = ''): string[] =>
      some.flatMap(({ name, detail, range, children = [] }) => [
        `${indent}${name}${detail === undefined ? '' : ` = ${detail}`} (${range.start.line}-${range.end.line})`,
        ...outline(children, `${indent}  `),
      ]);
    expect(outline(symbols)).toEqual([
      'machine (0-0)',
      '  nodes = 2 (0-0)',
      'overrides (1-3)',
      '  ["experiments/**"] (2-3)',
      '    paths (2-2)',
      '      "experiments/**" (2-2)',
      '    machine (3-3)',
      'constraints (4-6)',
      '  our-own (5-6)',
      '    message = "Too many." (5-5)',
      '    id = our-own (6-6)',
      'exclude (7-7)',
    ]);
    expect(symbols[1]?.selectionRange).toEqual({
      start: { line: 1, character: 0 },
      end: { line: 1, character: 9 },
    });
  });

  test('signature help for a flag with several values', async () => {
    const { text, position } = marked(megatronScript(' \\\n  --data-path 0.5 |'));
    await server.client.open(uri, text);
    const help: SignatureHelp | null = await server.client.request('textDocument/signatureHelp', uri, {
      position,
    });
    expect(help?.signatures[0]?.label).toMatch(/^--data-path </);
    expect(help?.activeParameter).toBe(1);
  });
});

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';
import { grammars, wordsPattern } from '../../tools/knowledge/grammars.ts';
import { loadKnowledge } from '../support/knowledge.ts';

/** Grammars of the two languages, reduced to what matters here: comments and quoted strings. */
const bases: { readonly [scope: string]: object } = {
  'source.shell': {
    scopeName: 'source.shell',
    patterns: [
      { match: '#.*$', name: 'comment.line.shell' },
      { match: "'[^']*'", name: 'string.quoted.single.shell' },
      { match: '\\S+', name: 'string.unquoted.argument.shell' },
    ],
  },
  'source.yaml': {
    scopeName: 'source.yaml',
    patterns: [
      { match: '#.*$', name: 'comment.line.yaml' },
      { match: '"[^"]*"', name: 'string.quoted.double.yaml' },
      { match: '[\\w.-]+(?=:)', name: 'entity.name.tag.yaml' },
    ],
  },
};

let tokens: (scope: string, line: string) => { text: string; scopes: readonly string[] }[];

beforeAll(async () => {
  const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
  await oniguruma.loadWASM(readFileSync(wasm).buffer);
  const { frameworks } = loadKnowledge();
  const made = grammars(
    resolve(import.meta.dirname, '../../syntaxes'),
    [...frameworks.values()].map(({ knowledge }) => knowledge),
  );
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const file = /^oomlint\.(\w+)\.injection$/.exec(scope)?.[1];
      const text = file === undefined ? JSON.stringify(bases[scope]) : made.get(`${file}.tmLanguage.json`);
      return text === undefined ? null : textmate.parseRawGrammar(text, 'grammar.json');
    },
    getInjections: (scope) => [`oomlint.${scope.slice('source.'.length)}.injection`],
  });
  const loaded = new Map<string, Awaited<ReturnType<typeof registry.loadGrammar>>>();
  for (const scope of Object.keys(bases)) loaded.set(scope, await registry.loadGrammar(scope));
  tokens = (scope, line) =>
    (loaded.get(scope)?.tokenizeLine(line, textmate.INITIAL).tokens ?? []).map(
      ({ startIndex, endIndex, scopes }) => ({
        text: line.slice(startIndex, endIndex),
        scopes,
      }),
    );
});

/** The highlighted texts of a line, by kind. */
function marked(scope: string, line: string): string[] {
  return tokens(scope, line)
    .filter(({ scopes }) => scopes.some((name) => name.endsWith('.oomlint') && !name.includes('option-path')))
    .map(({ text }) => text);
}

describe('shell', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['  --tensor-model-parallel-size 4 \\', ['--tensor-model-parallel-size']],
    ['--tensor-model-parallel-size=$TP', ['--tensor-model-parallel-size']],
    ['  --tensor-model-parallel-sizes 4', []],
    ['  --my--recompute-granularity', []],
    ['# --tensor-model-parallel-size 4', []],
    ["echo '--tensor-model-parallel-size'", []],
    ['export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True', []],
    ['export CUDA_DEVICE_MAX_CONNECTIONS=1', ['CUDA_DEVICE_MAX_CONNECTIONS']],
    ['  trainer.policy.megatron_config.tensor_model_parallel_size=2', ['tensor_model_parallel_size']],
    ['ls --color --all', []],
  ];
  for (const [line, expected] of cases)
    test(line, () =>
      expect(marked('source.shell', line).filter((one) => !one.startsWith('PYTORCH'))).toEqual(expected),
    );
});

describe('YAML', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['    max_tokens_per_mb: 10240', ['max_tokens_per_mb']],
    ['  --tensor-model-parallel-size: 4', ['--tensor-model-parallel-size']],
    ['  tensor_model_parallel_size: 4', ['tensor_model_parallel_size']],
    ['name: max_tokens_per_mb', []],
    ['# max_tokens_per_mb: 1', []],
    ['text: "max_tokens_per_mb: 1"', []],
    ['path: x', []],
  ];
  for (const [line, expected] of cases)
    test(line, () => expect(marked('source.yaml', line)).toEqual(expected));
});

test('a pattern of words matches only these words', () => {
  const pattern = new RegExp(`^(?:${wordsPattern(['a', 'ab', 'abc', 'x.y', 'x-y'])})$`);
  expect(
    ['a', 'ab', 'abc', 'x.y', 'x-y', 'abcd', 'b', 'xzy', ''].filter((word) => pattern.test(word)),
  ).toEqual(['a', 'ab', 'abc', 'x.y', 'x-y']);
});

import { describe, expect, it } from 'vitest';
import { bindArguments } from '../../../../server/src/frameworks/argparse/bind.ts';
import type { ArgumentParser } from '../../../../server/src/frameworks/argparse/parser.ts';
import { lastOf, missingRequired } from '../../../../server/src/frameworks/argparse/settings.ts';
import type { OptionFact } from '../../../../server/src/frameworks/knowledge.ts';
import { known } from '../../../../server/src/value/value.ts';
import type { Word } from '../../../../server/src/value/word.ts';
import { literalWord } from '../../../../server/src/value/word.ts';

const path = '/run.sh';

function option(fact: Partial<OptionFact> & Pick<OptionFact, 'name'>): OptionFact {
  return {
    flags: [`--${fact.name.replaceAll('_', '-')}`],
    type: 'str',
    default: null,
    source: 'arguments.py:1',
    ...fact,
  };
}

const options: readonly OptionFact[] = [
  option({ name: 'tensor_model_parallel_size', type: 'int', default: 1 }),
  option({ name: 'lr', type: 'float' }),
  option({ name: 'min_lr', type: 'float' }),
  option({ name: 'bf16', type: 'bool', action: 'store_true', default: false }),
  option({
    name: 'fusion',
    flags: ['--no-fusion', '--disable-fusion'],
    type: 'bool',
    action: 'store_false',
    default: true,
  }),
  option({ name: 'data_path', type: 'list', items: 'str', nargs: '*' }),
  option({ name: 'ramp', type: 'list', items: 'int', nargs: 3 }),
  option({ name: 'granularity', choices: ['full', 'selective'] }),
  option({ name: 'tag', type: 'str', action: 'append' }),
  option({ name: 'packing', flags: ['--packing', '--no-packing'], type: 'bool', action: 'boolean_optional' }),
];

const strict: ArgumentParser = { options, allowAbbrev: false, unknown: 'refuse' };

/** Words laid out one after the other; `$name` is an unquoted unset variable, `"$name"` a quoted one. */
function words(text: string): Word[] {
  const out: Word[] = [];
  let at = 0;
  for (const part of text.split(' ')) {
    const place = { path, span: { start: at, end: at + part.length } };
    at += part.length + 1;
    const hole = /^(.*?)("?)(\$\w+)"?$/.exec(part);
    if (hole === null) {
      out.push(literalWord(part.replaceAll('~', ' '), place));
      continue;
    }
    const origin = { place, via: [], verbatim: false };
    out.push({
      place,
      pieces: [
        ...(hole[1] === undefined || hole[1] === ''
          ? []
          : [{ kind: 'text' as const, text: hole[1], origin }]),
        {
          kind: 'hole' as const,
          reason: 'environment' as const,
          label: hole[3] ?? '',
          shape: 'any' as const,
          splits: hole[2] === '',
          origin,
        },
      ],
    });
  }
  return out;
}

function given(text: string, parser = strict): { [name: string]: unknown } {
  const bound = bindArguments(words(text), parser);
  return Object.fromEntries(
    [...lastOf(bound.settings)].map(([name, setting]) => [
      name,
      setting.value.kind === 'known' ? setting.value.data : `?${setting.value.label}`,
    ]),
  );
}

function rules(text: string, parser = strict): string[] {
  return bindArguments(words(text), parser).problems.map((problem) => problem.rule);
}

describe('argparse', () => {
  it('reads values beside the flag and joined by =', () => {
    expect(given('--lr 1e-4 --tensor-model-parallel-size=0_8 --bf16 --no-fusion')).toEqual({
      lr: 1e-4,
      tensor_model_parallel_size: 8,
      bf16: true,
      fusion: false,
    });
  });

  it('collects lists up to the next flag', () => {
    expect(given('--data-path 0.5 a 0.5 b --ramp 1 2 3 --bf16')).toEqual({
      data_path: ['0.5', 'a', '0.5', 'b'],
      ramp: [1, 2, 3],
      bf16: true,
    });
    expect(rules('--ramp 1 2 --bf16')).toEqual(['missing-value']);
    expect(rules('--data-path --bf16')).toEqual([]);
  });

  it('takes a negative number as a value but no other word that begins with a dash', () => {
    expect(given('--lr -1')).toEqual({ lr: -1 });
    expect(given('--lr=-1e-5')).toEqual({ lr: -1e-5 });
    expect(rules('--lr --bf16')).toEqual(['missing-value']);
    expect(rules('--granularity -x')).toContain('missing-value');
  });

  it('lets the last of two win and reports it', () => {
    expect(given('--lr 1 --lr 2')).toEqual({ lr: 2 });
    expect(rules('--lr 1 --lr 2')).toEqual(['duplicate-option']);
    expect(rules('--lr 1 --lr 1.0')).toEqual([]);
    expect(given('--tag a --tag b')).toEqual({ tag: ['a', 'b'] });
    expect(rules('--tag a --tag b')).toEqual([]);
  });

  it('refuses wrong types and choices and concludes nothing from them', () => {
    expect(rules('--tensor-model-parallel-size two')).toEqual(['invalid-value']);
    expect(given('--tensor-model-parallel-size two')).toEqual({ tensor_model_parallel_size: '?two' });
    expect(rules('--granularity fulll')).toEqual(['invalid-choice']);
    expect(rules('--granularity {{granularity}} --lr {{lr}}')).toEqual([]);
    expect(rules('--bf16=true')).toEqual(['unexpected-value']);
    expect(rules('--bf16 true')).toEqual(['unexpected-value']);
    expect(rules('--lr 1 2 3')).toEqual(['unknown-option']);
    const [problem] = bindArguments(words('--lr 1 2 3'), strict).problems;
    expect(problem?.values).toMatchObject({
      name: '2',
      hint: ' --lr takes one word; quotes keep several together.',
    });
  });

  it('reports a space after = and the next word as one mistake', () => {
    const [problem, ...others] = bindArguments(
      words('--bf16 --tensor-model-parallel-size= 2 --lr 1'),
      strict,
    ).problems;
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      rule: 'invalid-value',
      place: { span: { start: 7, end: 38 } },
      replacement: '--tensor-model-parallel-size=2',
    });
    expect(rules('--granularity= full')).toEqual(['invalid-choice']);
    expect(rules('--granularity= fulll')).toEqual(['invalid-choice', 'unknown-option']);
    expect(rules('--lr= two')).toEqual(['invalid-value', 'unknown-option']);
    expect(rules('--lr= --bf16')).toEqual(['invalid-value']);
  });

  it('knows common short names of flags', () => {
    const parser = { ...strict, shortNames: { '--tp': '--tensor-model-parallel-size' } };
    const [problem] = bindArguments(words('--tp 2'), parser).problems;
    expect(problem).toMatchObject({ rule: 'unknown-option', replacement: '--tensor-model-parallel-size' });
    const both = bindArguments(words('--tp 2 --tensor-model-parallel-size 2'), parser).problems;
    expect(both.map(({ replacement }) => replacement)).toEqual([undefined]);
  });

  it('drops words where upstream does, and reports it', () => {
    const lenient: ArgumentParser = { ...strict, unknown: 'ignore' };
    const of = (text: string) => bindArguments(words(text), lenient).problems;
    expect(of('--bf16 False')).toMatchObject([
      {
        rule: 'unexpected-value',
        severity: 'warning',
        values: { hint: ' The switch is on, and False is ignored.' },
        removal: { written: '--bf16 False' },
      },
    ]);
    expect(of('--bf16 True')).toMatchObject([{ severity: 'info', removal: { written: 'True' } }]);
    expect(of('--no-fusion False')).toMatchObject([{ severity: 'warning', removal: { written: 'False' } }]);
    expect(of('--lr 1 {MORE[@]} --bf16')).toMatchObject([
      { rule: 'ignored-word', replacement: '"${MORE[@]}"', place: { span: { start: 7, end: 16 } } },
    ]);
    expect(of('--lr~1~--min-lr~2 --bf16')).toMatchObject([{ rule: 'ignored-word' }]);
    expect(of('--strange a b --lr $X')).toMatchObject([{ rule: 'unknown-option' }]);
    expect(of('$MORE False')).toEqual([]);
    expect(of('--bf16 ~')).toEqual([]);
  });

  it('reports once that a space splits the values of several flags', () => {
    const at = (start: number) => ({ path, span: { start, end: start + 4 } });
    const split = (text: string, start: number): Word => ({
      pieces: [{ kind: 'text', text, origin: { place: at(start), via: [at(90)], verbatim: true } }],
      place: at(90),
    });
    const flags = words('--lr --min-lr');
    const line = flags.flatMap((flag) => [flag, split('1', 10), split('dir>/x', 14)]);
    expect(bindArguments(line, strict).problems).toMatchObject([
      {
        rule: 'unknown-option',
        place: at(14),
        values: { name: 'dir>/x', hint: ' The space before it ends the value of --lr and --min-lr.' },
        related: [{ place: at(90) }],
      },
    ]);
  });

  it('suggests the intended flag', () => {
    const [problem] = bindArguments(words('--tensor-modle-parallel-size 2'), strict).problems;
    expect(problem).toMatchObject({
      rule: 'unknown-option',
      severity: 'error',
      replacement: '--tensor-model-parallel-size',
      place: { span: { start: 0, end: 28 } },
    });
  });

  it('suggests a flag that is also given only if nothing but dashes is wrong', () => {
    const meant = (text: string) => bindArguments(words(text), strict).problems[0]?.replacement;
    expect(meant('--min_lr 3 --min-lr 4')).toBe('--min-lr');
    expect(meant('--granularit full --granularity full')).toBeUndefined();
  });

  it('suggests no successor of a deprecated flag if it is given later with another value', () => {
    const old = option({
      name: 'checkpoint_all',
      type: 'bool',
      action: 'store_true',
      deprecated: true,
      renamedTo: '--granularity full',
    });
    const parser = { ...strict, options: [...options, old] };
    const reported = (text: string) => bindArguments(words(text), parser).problems[0];
    expect(reported('--checkpoint-all')?.replacement).toBe('--granularity full');
    expect(reported('--checkpoint-all --granularity selective')?.replacement).toBeUndefined();
    expect(reported('--checkpoint-all --granularity selective')?.removal).toBeUndefined();
    expect(reported('--granularity selective --checkpoint-all')?.replacement).toBe('--granularity full');
    expect(reported('--checkpoint-all --granularity full')?.removal).toBeDefined();
  });

  it('is silent in a fork about anything not close to a known flag', () => {
    const fork = { ...strict, fork: true };
    expect(rules('--my-own-thing 3', fork)).toEqual([]);
    expect(rules('--min_lr 3', fork)).toEqual(['unknown-option']);
    expect(bindArguments(words('--min_lr 3'), fork).problems[0]?.severity).toBe('warning');
    expect(rules('--granularity of-its-own', fork)).toEqual([]);
    expect(rules('--granularity fulll', fork)).toEqual(['invalid-choice']);
  });

  it('warns if the parser ignores unknown options', () => {
    const lenient: ArgumentParser = { ...strict, unknown: 'ignore' };
    const bound = bindArguments(words('--zzz a b --lr 1'), lenient);
    expect(bound.problems.map((problem) => problem.severity)).toEqual(['warning']);
    expect(bound.ignored).toMatchObject([{ flag: '--zzz', index: 0 }]);
    expect(bound.ignored[0]?.values).toHaveLength(2);
  });

  it('accepts abbreviations only if allowed', () => {
    const short: ArgumentParser = { ...strict, allowAbbrev: true };
    expect(given('--gran full', short)).toEqual({ granularity: 'full' });
    expect(rules('--gran full', short)).toEqual(['abbreviated-option']);
    const [reported] = bindArguments(words('--gran full'), short).problems;
    expect(reported?.values).toEqual({ name: '--gran', full: '--granularity' });
    expect(rules('--t 1', short)).toEqual(['ambiguous-option']);
    const [unclear] = bindArguments(words('--t 1'), short).problems;
    expect(unclear?.choices?.join(' or ')).toBe(unclear?.values.choices);
    expect(rules('--gran full')).toEqual(['unknown-option']);
  });

  it('keeps unknown words unknown', () => {
    expect(given('--lr $LR --min-lr="$MIN"')).toEqual({ lr: '?$LR', min_lr: '?$MIN' });
    expect(bindArguments(words('--lr $LR'), strict).open).toBe(false);
    const bound = bindArguments(words('--bf16 $EXTRA 3 --lr 1'), strict);
    expect(bound.open).toBe(true);
    expect(bound.problems).toEqual([]);
    expect(given('--data-path $PATHS --lr 1')).toEqual({ data_path: '?$PATHS', lr: 1 });
  });

  it('reads both spellings of a switch', () => {
    expect(given('--packing')).toEqual({ packing: true });
    expect(given('--no-packing')).toEqual({ packing: false });
  });

  it('detects a flag that became the value of another', () => {
    expect(rules('--granularity --lr~1')).toContain('swallowed-option');
    expect(rules('--bf16 --lr~1')).toEqual(['unknown-option']);
  });

  it('requires options unless more words may come', () => {
    const place = { path, span: { start: 0, end: 1 } };
    const demanding = [...options, option({ name: 'load', required: true })];
    const parser = { ...strict, options: demanding };
    expect(missingRequired(bindArguments(words('--bf16'), parser), demanding, place)).toHaveLength(1);
    expect(missingRequired(bindArguments(words('--bf16 $MORE'), parser), demanding, place)).toEqual([]);
  });

  it('points at the value beside its flag, and at its origin', () => {
    const definition = { path, span: { start: 3, end: 4 } };
    const inArray = { path, span: { start: 50, end: 53 } };
    const key = literalWord(
      '--lr',
      { path, span: { start: 90, end: 99 } },
      {
        place: { path, span: { start: 45, end: 49 } },
        via: [{ path, span: { start: 90, end: 99 } }],
        verbatim: true,
      },
    );
    const value = literalWord(
      '2',
      { path, span: { start: 90, end: 99 } },
      {
        place: definition,
        via: [{ path, span: { start: 90, end: 99 } }, inArray],
        verbatim: true,
      },
    );
    const [setting] = bindArguments([key, value], strict).settings;
    expect(setting?.valuePlace).toEqual(inArray);
    expect(setting?.origin?.place).toEqual(definition);
    expect(setting?.value).toEqual(known(2));
  });
});

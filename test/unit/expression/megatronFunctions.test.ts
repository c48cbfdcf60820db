import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../server/src/expression/evaluate.ts';
import { numberFunctions } from '../../../server/src/expression/functions/numbers.ts';
import { layoutStages } from '../../../server/src/expression/functions/pipelineLayout.ts';
import { parseExpression } from '../../../server/src/expression/parse.ts';
import { UNKNOWN } from '../../../server/src/expression/result.ts';
import { unknownLookup } from '../../support/unknownLookup.ts';

function run(text: string): unknown {
  const parsed = parseExpression(text);
  if ('problem' in parsed) throw new Error(parsed.problem.message);
  return evaluate(parsed.expression, unknownLookup);
}

describe('pipeline layouts', () => {
  it('are unrolled as upstream does', () => {
    expect(layoutStages('Ettt|(tt|)*3,m|L')).toEqual(['Ettt', 'tt', 'tt', 'tt', 'm', 'L']);
    expect(layoutStages('Et*4|t*2L')).toEqual(['Etttt', 'ttL']);
    expect(layoutStages('(t)*999999999')).toBeUndefined();
  });

  it('must name each layer once, in order', () => {
    expect(run('layout_fault("Ettt|tttL", 2, 6, null)')).toBeNull();
    expect(run('layout_fault("Ettt|tttL", 2, 8, null)')).toContain('places 6 layers');
    expect(run('layout_fault("ttt|tttL", 2, 6, null)')).toContain('begin');
    expect(run('layout_fault("Ettt|ttt", 2, 6, null)')).toContain('end');
    expect(run('layout_fault("EEtt|ttL", 2, 4, null)')).toContain('more than one embedding');
    expect(run('layout_fault("Ettx|ttL", 2, 4, null)')).toContain('“x”');
    expect(run('layout_fault("Ettt|tt|tL", 2, 6, null)')).toContain('3 stages');
  });

  it('keep prediction layers together at the end', () => {
    expect(run('layout_fault("Ettt|tttmL", 2, 6, 1)')).toBeNull();
    expect(run('layout_fault("Ettt|tttmL", 2, 6, null)')).toContain('multi-token');
    expect(run('layout_fault("Etmt|ttL", 2, 4, 1)')).toContain('after');
    expect(run('layout_fault("Ett|tm|m|L", 4, 3, 2)')).toContain('several stages');
    expect(run('layout_fault("Ettm|t|t|L", 2, 4, 1)')).not.toBeNull();
  });
});

describe('hybrid patterns', () => {
  it('give layers, segments and prediction depths', () => {
    expect(run('get(hybrid_pattern("M*M*|M-M*/MM/MM"), "layers")')).toBe(8);
    expect(run('get(hybrid_pattern("M*M*|M-M*/MM/MM"), "segments")')).toBe(2);
    expect(run('get(hybrid_pattern("M*M*|M-M*/MM/MM"), "mtp_depths")')).toBe(2);
    expect(run('get(hybrid_pattern("M*M*|M-M*/MM/MM"), "fault")')).toBeNull();
    expect(run('get(hybrid_pattern("M*XM"), "fault")')).toContain('“X”');
    expect(run('get(hybrid_pattern("M*M+"), "fault")')).toContain('latent');
    expect(run('get(hybrid_pattern("M*/MM/M"), "fault")')).toContain('differ');
  });
});

describe('layers and lists', () => {
  it('spread experts by frequency', () => {
    expect(run('moe_layer_kinds(2, 5)')).toEqual([1, 0, 1, 0, 1]);
    expect(run('moe_layer_kinds([0, 1], 5)')).toEqual([0, 1]);
    expect(run('moe_layer_kinds(0, 5)')).toBe(UNKNOWN);
  });

  it('add to and remove from lists', () => {
    expect(run('with_element(["a"], "b")')).toEqual(['a', 'b']);
    expect(run('with_element(["a"], "a")')).toEqual(['a']);
    expect(run('without_elements(["a", "b"], ["a"])')).toEqual(['b']);
  });
});

describe('schedules of batch sizes', () => {
  it('begin at 0 and grow', () => {
    expect(run('batch_schedule_fault("0:768 250B:1536, 500B:3072", 1024)')).toBeNull();
    expect(run('batch_schedule_fault("10K:768", 1024)')).toContain('begin at 0');
    expect(run('batch_schedule_fault("0:768 0:32", 1024)')).toContain('twice');
    expect(run('batch_schedule_fault("0:16 500:32", 1024)')).toContain(
      'within one sequence of 1024 tokens (0 and 500)',
    );
    expect(run('batch_schedule_fault("100:16 500K:32", 1024)')).toBeNull();
    expect(run('batch_schedule_start("500K:32 0:12")')).toBe(12);
    expect(run('batch_schedule_fault("0:0", 1024)')).toContain('batch size of 0');
    expect(run('batch_schedule_fault("768", 1024)')).toContain('colon');
    expect(run('batch_schedule_fault("0:many", 1024)')).toContain('two numbers');
    expect(run('batch_schedule_fault("", 1024)')).toContain('empty');
  });
});

describe('a text as JSON', () => {
  it('is an object or not', () => {
    expect(run(`is_json_object('{"hidden_act": "silu"}')`)).toBe(true);
    expect(run('is_json_object("/models/config.json")')).toBe(false);
    expect(run('is_json_object("[1]")')).toBe(false);
    expect(run('is_json_object("")')).toBe(false);
  });

  it('is unknown if Python reads more than JSON', () => {
    expect(run(`is_json_object('{"eps": NaN}')`)).toBe(UNKNOWN);
    expect(run('is_json_object(null)')).toBe(UNKNOWN);
  });
});

describe('lists of huge size', () => {
  it('stay empty when nothing is repeated', { timeout: 2000 }, () => {
    expect(run('eval_python_list("[]*1000000000")')).toEqual([]);
    expect(run('eval_python_list("[0]*0")')).toEqual([]);
  });

  it('have a minimum and a maximum however long they are', () => {
    const max = numberFunctions.max;
    const min = numberFunctions.min;
    const list = Array.from({ length: 200_000 }, (_, index) => index);
    expect([min?.([list], unknownLookup), max?.([list], unknownLookup)]).toEqual([0, 199_999]);
  });
});

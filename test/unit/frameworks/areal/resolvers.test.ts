import { describe, expect, it } from 'vitest';
import { resolvedBy } from '../../../../server/src/frameworks/areal/resolvers.ts';
import { alone, base } from './arealRun.ts';

describe('an OmegaConf resolver', () => {
  // Each as OmegaConf 2.4.0.dev2 has it.
  it.each([
    ['oc.decode', "'4'", { kind: 'value', data: 4, type: 'int' }],
    ['oc.decode', '"true"', { kind: 'value', data: true, type: 'bool' }],
    ['oc.decode', 'abc', { kind: 'value', data: 'abc', type: 'str' }],
    ['oc.decode', 'null', { kind: 'value', data: null, type: 'null' }],
    ['oc.create', '{a: 1}', { kind: 'value', data: { a: 1 }, type: 'dict' }],
    ['oc.create', '[]', { kind: 'value', data: [], type: 'list' }],
    ['oc.create', 'abc', { kind: 'value', data: { abc: null }, type: 'dict' }],
    ['oc.create', "'a b'", { kind: 'value', data: { 'a b': null }, type: 'dict' }],
    ['oc.create', "'null'", { kind: 'value', data: {}, type: 'dict' }],
    ['oc.select', 'a.b, 1e-3', { kind: 'select', key: 'a.b', otherwise: { data: 0.001, type: 'float' } }],
    ['oc.select', 'a', { kind: 'select', key: 'a', otherwise: { data: null, type: 'null' } }],
    ['oc.select', 'a, ${b}', { kind: 'select', key: 'a', otherwise: undefined }],
    ['now', 'x', { kind: 'value', data: 'x', type: 'str' }],
  ])('resolves %s:%s', (name, written, given) => {
    expect(resolvedBy(name, written)).toEqual(given);
  });

  it.each([
    ['oc.decode', '4'],
    ['oc.decode', ''],
    ['oc.decode', 'a,b'],
    ['oc.create', '3'],
    ['oc.create', "'3'"],
    ['oc.create', "'true'"],
    ['oc.create', ''],
    ['oc.select', 'a,b,c'],
  ])('refuses %s:%s', (name, written) => {
    expect(resolvedBy(name, written)?.kind).toBe('refused');
  });

  it.each([
    ['oc.env', 'HOME,3'],
    ['oc.decode', "'${a}'"],
    ['oc.create', "'a: 1'"],
    ['oc.create', "'[1]'"],
    ['oc.create', "'- 1'"],
    ['oc.select', '.a,3'],
    ['now', '%Y'],
    ['own', '3'],
  ])('has an unknown result: %s:%s', (name, written) => {
    expect(resolvedBy(name, written)).toBeUndefined();
  });
});

describe('a value from a resolver', () => {
  const reported = (epochs: string): readonly string[] =>
    alone(base.replace(/^total_train_epochs:.*$/m, `total_train_epochs: ${epochs}`)).flatMap(
      ({ rule, severity, message }) =>
        rule === 'invalid-value' || rule === 'invalid-interpolation' ? [`${severity} ${message}`] : [],
    );

  it.each([
    '${oc.select:nope,3}',
    '${oc.select:cluster.n_nodes}',
    '${oc.select:cluster.n_nodes,${cluster.n_gpus_per_node}}',
    "${oc.decode:'3'}",
    '${oc.env:NOPE}',
    '${now:%Y}',
  ])('is accepted if it has the right type: %s', (written) => {
    expect(reported(written)).toEqual([]);
  });

  it.each([
    ['${oc.select:nope,abc}', 'error total_train_epochs takes a whole number, not “abc”.'],
    ['${oc.select:nope}', 'error total_train_epochs takes a whole number, not null.'],
    ['${oc.create:adam}', 'error total_train_epochs takes a whole number, not a map.'],
    ['${oc.create:{}}', 'error total_train_epochs takes a whole number, not a map.'],
    ['x${oc.select:nope,true}', 'error total_train_epochs takes a whole number, not “xTrue”.'],
    [
      '${oc.decode:4}',
      'error ${oc.decode:4} cannot be resolved: oc.decode takes a text, and 4 is not one without quotes.',
    ],
    ['${oc.env:HOME,${nope}}', 'error ${oc.env:HOME,${nope}} cannot be resolved: there is no nope.'],
    [
      '${oc.select:total_train_epochs}',
      'error ${oc.select:total_train_epochs} cannot be resolved: it leads back to itself.',
    ],
  ])('is refused if it has another type or cannot be resolved: %s', (written, message) => {
    expect(reported(written)).toEqual([message]);
  });
});

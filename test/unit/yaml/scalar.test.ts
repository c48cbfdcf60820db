import { expect, test } from 'vitest';
import { resolveScalar, resolveTagged } from '../../../server/src/yaml/scalar.ts';

// What PyYAML 6.0.3's SafeLoader, the same with OmegaConf 2.3's resolvers, and YAML 1.2's core schema load.
test.each([
  ['', null, null, null],
  ['~', null, null, null],
  ['Null', null, null, null],
  ['nULL', 'nULL', 'nULL', 'nULL'],
  ['yes', true, true, 'yes'],
  ['Off', false, false, 'Off'],
  ['y', 'y', 'y', 'y'],
  ['True', true, true, true],
  ['tRue', 'tRue', 'tRue', 'tRue'],
  ['1e3', '1e3', 1000, 1000],
  ['1E-6', '1E-6', 1e-6, 1e-6],
  ['1.0e-6', 1e-6, 1e-6, 1e-6],
  ['1.0e6', '1.0e6', 1e6, 1e6],
  ['.5', 0.5, 0.5, 0.5],
  ['1.', 1, 1, 1],
  ['010', 8, 8, 10],
  ['08', '08', '08', 8],
  ['0o10', '0o10', '0o10', 8],
  ['0x1F', 31, 31, 31],
  ['-0x1F', -31, -31, '-0x1F'],
  ['0b101', 5, 5, '0b101'],
  ['1_000', 1000, 1000, '1_000'],
  ['1:30', 90, 90, '1:30'],
  ['-1:30.5', -90.5, -90.5, '-1:30.5'],
  ['-.inf', Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ['1-2', '1-2', '1-2', '1-2'],
  [
    'expandable_segments:True',
    'expandable_segments:True',
    'expandable_segments:True',
    'expandable_segments:True',
  ],
])('%j', (text, pyyaml, omegaconf, core) => {
  expect(resolveScalar(text, 'pyyaml')).toEqual(pyyaml);
  expect(resolveScalar(text, 'omegaconf')).toEqual(omegaconf);
  expect(resolveScalar(text, 'core')).toEqual(core);
});

test('tags', () => {
  expect(resolveTagged('8', 'tag:yaml.org,2002:str', 'pyyaml')).toBe('8');
  expect(resolveTagged('x', 'tag:yaml.org,2002:int', 'pyyaml')).toBeUndefined();
  expect(resolveTagged('yes', 'tag:yaml.org,2002:bool', 'pyyaml')).toBe(true);
  expect(resolveTagged('8', '!mine', 'pyyaml')).toBeUndefined();
});

import type { Data } from '../../value/value.ts';
import { isList, type Result, UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

/**
 * Which layers have experts (1) and which are dense (0). An integer N puts experts into every Nth layer, beginning with the first; a list
 * states it layer by layer.
 */
function layerKinds([frequency, layers]: readonly Data[]): Result {
  if (frequency !== undefined && isList(frequency)) return frequency;
  if (typeof frequency !== 'number' || typeof layers !== 'number') return UNKNOWN;
  if (!Number.isInteger(frequency) || frequency < 1 || layers < 0 || layers > 100_000) return UNKNOWN;
  return Array.from({ length: layers }, (_, index) => (index % frequency === 0 ? 1 : 0));
}

/** A list with an element added, unless it is already there. */
function withElement([list, element]: readonly Data[]): Result {
  if (list === undefined || element === undefined || !isList(list)) return UNKNOWN;
  return list.includes(element) ? list : [...list, element];
}

/** A list without the elements of another list. */
function withoutElements([list, others]: readonly Data[]): Result {
  if (list === undefined || others === undefined || !isList(list) || !isList(others)) return UNKNOWN;
  return list.filter((item) => !others.includes(item));
}

/** Layers of mixture-of-experts models, and the lists in which Megatron-LM names parts of a layer. */
export const moeLayerFunctions: FunctionTable = {
  moe_layer_kinds: layerKinds,
  with_element: withElement,
  without_elements: withoutElements,
};

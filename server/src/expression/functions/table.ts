import type { Data } from '../../value/value.ts';
import type { Lookup } from '../evaluate.ts';
import type { Result } from '../result.ts';

/** A function of the language: it only gets known arguments and returns UNKNOWN where Python would raise. */
type ExpressionFunction = (args: readonly Data[], lookup: Lookup) => Result;
/** Functions by name. */
export type FunctionTable = { readonly [name: string]: ExpressionFunction };

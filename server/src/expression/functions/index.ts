import { allocationFunctions } from './allocationFunctions.ts';
import { allocationTextFunctions } from './allocationText.ts';
import { batchScheduleFunctions } from './batchSchedule.ts';
import { checkpointFunctions } from './checkpoints.ts';
import { collectionFunctions } from './collections.ts';
import { modelFunctions } from './models.ts';
import { moeLayerFunctions } from './moeLayers.ts';
import { numberFunctions } from './numbers.ts';
import { pipelineLayoutFunctions } from './pipelineLayout.ts';
import { pythonListFunctions } from './pythonList.ts';
import type { FunctionTable } from './table.ts';
import { textFunctions } from './texts.ts';
import { versionFunctions } from './versions.ts';

/** All functions of the language. A new field with its own functions adds a file here and one line below. */
export const functions: FunctionTable = {
  ...checkpointFunctions,
  ...collectionFunctions,
  ...numberFunctions,
  ...textFunctions,
  ...versionFunctions,
  ...pythonListFunctions,
  ...allocationFunctions,
  ...allocationTextFunctions,
  ...modelFunctions,
  ...pipelineLayoutFunctions,
  ...moeLayerFunctions,
  ...batchScheduleFunctions,
};

/** Functions that take options rather than their values, with the index of the first argument that must be an option's name. */
export const formsOfNames: ReadonlyMap<string, number> = new Map([
  ['given', 0],
  ['asked', 0],
  ['default', 0],
  ['first_given', 0],
  ['first_true', 0],
  ['first_below', 1],
]);

/** Functions that the evaluator itself implements, because they look at names or at unknown values. */
export const specialForms: ReadonlySet<string> = new Set([
  ...formsOfNames.keys(),
  'known',
  'count',
  'any_of',
  'all_of',
]);

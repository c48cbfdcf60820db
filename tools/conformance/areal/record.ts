import * as z from 'zod';
import { recordsIn } from '../records.ts';

const recordSchema = z.object({
  id: z.string(),
  base: z.string(),
  experiment: z.string(),
  launch: z.enum(['controller', 'local', 'ray', 'slurm']),
  yaml: z.string(),
  overrides: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  mutations: z.array(z.string()),
  verdict: z.enum(['accept', 'reject']),
  stage: z.string(),
  exception: z.string(),
  message: z.string(),
  at: z.string(),
  /** The requested and the effective value of options whose value upstream replaces. */
  changed: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  warnings: z.array(z.string()),
  late: z.array(z.looseObject({ stage: z.string(), message: z.string(), at: z.string() })),
});
/** One launch with upstream's verdict. */
export type OracleRecord = z.infer<typeof recordSchema>;

/**
 * Whether a record depends on what the oracle's description leaves out: shell variables in a rejected value, and model paths that do not exist.
 */
function dependsOnEnvironment(record: OracleRecord): boolean {
  return (
    record.verdict === 'reject' &&
    record.mutations.some((one) => one.includes('oc.env') || one.includes('~actor.path'))
  );
}

/** The records of a file of upstream's verdicts, without those that depend on the environment. */
export function readRecords(file: Buffer): OracleRecord[] {
  return recordsIn(file, recordSchema).filter((record) => !dependsOnEnvironment(record));
}

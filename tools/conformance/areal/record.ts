import { gunzipSync } from 'node:zlib';
import { z } from 'zod';

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
  /** What was asked for and what is in force, of options whose value upstream replaces. */
  changed: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  warnings: z.array(z.string()),
  late: z.array(z.looseObject({ stage: z.string(), message: z.string(), at: z.string() })),
});
/** One launch with upstream's verdict. */
export type OracleRecord = z.infer<typeof recordSchema>;

/** What the oracle's description leaves out: variables of the shell in a refused value, and model paths that do not exist. */
function dependsOnEnvironment(record: OracleRecord): boolean {
  return (
    record.verdict === 'reject' &&
    record.mutations.some((one) => one.includes('oc.env') || one.includes('~actor.path'))
  );
}

/**
 * The records of a file of upstream's verdicts, without those that depend on the environment.
 * @param file JSON lines, perhaps packed by gzip
 */
export function readRecords(file: Buffer): OracleRecord[] {
  const isPacked = file[0] === 0x1f && file[1] === 0x8b;
  return (isPacked ? gunzipSync(file) : file)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => recordSchema.parse(JSON.parse(line)))
    .filter((record) => !dependsOnEnvironment(record));
}

import * as z from 'zod';

const recordSchema = z.object({
  name: z.string(),
  rank: z.number(),
  world_size: z.number(),
  argv: z.array(z.string()),
  /** Allocated bytes once model and optimizer are built. */
  after_setup_bytes: z.number().nullable(),
  /** Peak of allocated bytes in later steps. */
  peak_allocated_bytes: z.number().nullable(),
  error: z.string().nullable(),
});

/** One rank of a training run on real GPUs, with its memory in bytes. */
export type MemoryRecord = z.infer<typeof recordSchema>;

/** The records of a file of measurements: a JSON list. @throws if one has another form */
export function readMeasurements(content: string): MemoryRecord[] {
  return z.array(recordSchema).parse(JSON.parse(content));
}

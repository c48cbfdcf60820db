import * as z from 'zod';

const recordSchema = z.object({
  name: z.string(),
  rank: z.number(),
  world_size: z.number(),
  argv: z.array(z.string()),
  /** What is allocated once model and optimizer are built. */
  after_setup_bytes: z.number().nullable(),
  /** The most that is allocated in later steps. */
  peak_allocated_bytes: z.number().nullable(),
  error: z.string().nullable(),
});

/** One rank of a training run on real GPUs, with its memory in bytes. */
export type MemoryRecord = z.infer<typeof recordSchema>;

/** The records of a file of measurements: a JSON list. @throws on one of another form */
export function readMeasurements(content: string): MemoryRecord[] {
  return z.array(recordSchema).parse(JSON.parse(content));
}

import * as z from 'zod/mini';
import { phases } from './constraintFile.ts';

/** One entry of schemas/common/rules/: a rule that code checks. */
export const commonRuleSchema = z.strictObject({
  id: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  /** When the job would run into it; `never`: it only matters to oomlint. */
  phase: z.enum([...phases, 'never']),
  /** No comment suppresses it, because it is about the comments themselves. */
  suppressible: z.exactOptional(z.literal(false)),
  message: z.string(),
  why: z.string(),
  /** What the offered fixes do, one sentence each. */
  fixes: z._default(z.array(z.string()), []),
});

import { join } from 'node:path';
import * as z from 'zod';
import type { EnvironmentFacts } from '../../server/src/frameworks/environment.ts';
import { type KnowledgeProblem, readOne } from './entries.ts';

const text = z.string().min(1);
const schema = z.strictObject({
  variables: z.array(
    z.strictObject({
      name: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
      describe: text,
      values: z.array(text).exactOptional(),
      source: z.url(),
    }),
  ),
});

/** Reads schemas/common/environment.yaml; errors are added to `problems`. */
export function readEnvironment(schemas: string, problems: KnowledgeProblem[]): EnvironmentFacts {
  return readOne(join(schemas, 'common', 'environment.yaml'), schema, problems) ?? { variables: [] };
}

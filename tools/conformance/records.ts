import { gunzipSync } from 'node:zlib';
import type * as z from 'zod';

/**
 * The records of a file of upstream's verdicts.
 * @param content JSON lines, possibly compressed with gzip
 * @throws if a line has another form
 */
export function recordsIn<Form extends z.ZodType>(content: Buffer, form: Form): z.output<Form>[] {
  const isPacked = content[0] === 0x1f && content[1] === 0x8b;
  return (isPacked ? gunzipSync(content) : content)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => form.parse(JSON.parse(line)));
}

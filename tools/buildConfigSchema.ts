import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { configSchema } from '../server/src/config/schema.ts';
import { homepage } from '../server/src/report/url.ts';

/**
 * Writes the JSON Schema of `.oomlint.yaml`, with which editors complete and check the file: on one line, since it is packaged with the
 * extension.
 */
const dist = resolve('dist');
const schema = z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
mkdirSync(dist, { recursive: true });
writeFileSync(
  resolve(dist, 'config.schema.json'),
  `${JSON.stringify({ $id: `${homepage}/config.schema.json`, title: 'Configuration of oomlint', ...schema })}\n`,
);

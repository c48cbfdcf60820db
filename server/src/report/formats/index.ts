import type { FileReport } from '../../linter.ts';
import type { RuleFacts } from '../../rules/rule.ts';
import { checkJson } from '../json.ts';
import { checkstyle } from './checkstyle.ts';
import { concise } from './concise.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { junit } from './junit.ts';
import type { FormatOptions } from './located.ts';
import { ndjson } from './ndjson.ts';
import { rdjson } from './rdjson.ts';
import { sarif } from './sarif.ts';

/** Everything that a machine-readable format may need; `rule` only answers for formats that need it according to `tellsRules`. */
export type ReportOptions = FormatOptions & { readonly rule: (id: string) => RuleFacts | undefined };

/** The machine-readable formats by name. */
export const formats = {
  concise,
  json: (reports: readonly FileReport[], options: ReportOptions) =>
    `${JSON.stringify(checkJson(reports, options), null, 2)}\n`,
  ndjson,
  sarif,
  github,
  gitlab,
  junit,
  checkstyle,
  rdjson,
} satisfies { readonly [name: string]: (reports: readonly FileReport[], options: ReportOptions) => string };

/** Names a machine-readable format, as `--format` takes it. */
export type FormatName = keyof typeof formats;

/** Whether a text names a machine-readable format. */
export function isFormat(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}

/** Whether a format describes the rules of its findings. */
export function needsRules(format: string): boolean {
  return format === 'sarif';
}

import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { KnowledgeSource } from '../../server/src/frameworks/knowledge.ts';
import { demandFile, oneOf, readFlags, wholeNumber } from '../flags.ts';
import { readKnowledge } from '../knowledge/read.ts';
import type { Answer } from './answers.ts';

/** The command line of a conformance program. */
export interface Request {
  /** Files of upstream's verdicts. */
  readonly files: readonly string[];
  /** Which kind of disagreement to list. */
  readonly show: string | undefined;
  /** Maximum number of listed launches. */
  readonly limit: number;
  /** AReaL's launches without the script from which their experiment class is known. */
  readonly withoutScript: boolean;
  /** The release of the framework that the project declares. */
  readonly release: string | undefined;
}

/** Reads the command line; without `--file` it uses the sets in ../shared/oracle with these names. @param kinds possible values of `--show` */
export function readRequest(program: string, kinds: readonly string[], ...names: readonly string[]): Request {
  const more = program === 'areal' ? ' [--without-script] [--release RELEASE]' : '';
  const usage = `npm run conformance:${program} -- [--file FILE] [--show ${kinds.join('|')}] [--limit N]${more}`;
  const values = readFlags(usage, () =>
    parseArgs({
      options: {
        file: { type: 'string' },
        show: { type: 'string' },
        limit: { type: 'string', default: '25' },
        'without-script': { type: 'boolean', default: false },
        release: { type: 'string' },
      },
    }),
  );
  const files =
    values.file === undefined ? names.map((name) => join('../shared/oracle', name)) : [values.file];
  return {
    files: files.map((file) => demandFile(resolve(file), usage)),
    show: oneOf('--show', values.show, kinds, usage),
    limit: wholeNumber('--limit', values.limit, usage),
    withoutScript: values['without-script'],
    release: values.release,
  };
}

/** The current knowledge in schemas/, built or not. Its errors are written to standard error. */
export function knowledgeInSchemas(): KnowledgeSource {
  const { frameworks, problems } = readKnowledge(join(process.cwd(), 'schemas'));
  for (const { file, line, message } of problems) console.error(`${file}:${line} ${message}`);
  return (id) =>
    frameworks.get(id)?.knowledge ?? {
      framework: id,
      repository: '',
      commit: '',
      options: [],
      derivations: [],
      constraints: [],
    };
}

/** `part` of `whole` in percent. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)} %`;
}

/** Counts how often our verdicts agree with upstream's, and lists the disagreements. */
export class Verdicts<LaunchRecord extends { readonly verdict: 'accept' | 'reject' }> {
  refused = 0;
  accepted = 0;
  readonly #request: Request;
  readonly #heading: (record: LaunchRecord) => string;
  readonly #listed: string[] = [];
  readonly #falseRules = new Map<string, number>();
  #found = 0;
  #caused = 0;
  #alarms = 0;

  /** @param heading describes a launch and upstream's verdict on it */
  constructor(request: Request, heading: (record: LaunchRecord) => string) {
    this.#request = request;
    this.#heading = heading;
  }

  /** Lists a launch with our answers, if disagreements of its kind were requested. */
  note(kind: string, record: LaunchRecord, answers: readonly Answer[]): void {
    if (this.#request.show !== kind || this.#listed.length >= this.#request.limit) return;
    const ours = answers.map(
      ({ severity, rule, message, names }) => `  we: ${severity} ${rule}: ${message} [${names.join(', ')}]`,
    );
    this.#listed.push([this.#heading(record), ...ours].join('\n'));
  }

  /**
   * Counts one launch.
   * @param isCause whether our errors are about what upstream rejects
   * @param mayFail whether an error on an accepted launch is no false alarm, because upstream rejects it later
   */
  count(
    record: LaunchRecord,
    answers: readonly Answer[],
    isCause: (errors: readonly Answer[]) => boolean,
    mayFail: boolean,
  ): void {
    const errors = answers.filter(({ severity }) => severity === 'error');
    if (record.verdict === 'accept') {
      this.accepted += 1;
      if (errors.length === 0 || mayFail) return;
      this.#alarms += 1;
      this.note('false', record, errors);
      for (const { rule } of errors) this.#falseRules.set(rule, (this.#falseRules.get(rule) ?? 0) + 1);
      return;
    }
    this.refused += 1;
    if (errors.length === 0) {
      this.note('missed', record, answers);
      return;
    }
    this.#found += 1;
    if (isCause(errors)) this.#caused += 1;
    else this.note('cause', record, errors);
  }

  /** The lines on recall, precision and cause. */
  summary(): string[] {
    const found = this.#found;
    return [
      `recall             ${percent(found, this.refused)} (${found} of ${this.refused})`,
      `precision          ${percent(found, found + this.#alarms)} (${this.#alarms} false alarms)`,
      `same cause         ${percent(this.#caused, found)} (${this.#caused} of ${found})`,
    ];
  }

  /** The rules behind false alarms, and the requested launches. */
  details(): string[] {
    const rules = [...this.#falseRules].sort((a, b) => b[1] - a[1]);
    return [...rules.map(([rule, times]) => `  false alarm ${times} × ${rule}`), ...this.#listed];
  }
}

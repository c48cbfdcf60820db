import { isAscii } from '../quote.ts';
import { compileAwk, mostSteps } from './awkParse.ts';
import { createRecord, type Machine } from './awkRun.ts';
import { type Filter, readOperands, splitLines } from './filter.ts';
import { parseOptions } from './options.ts';

/**
 * `awk` with -F and -v over ASCII text: patterns, `BEGIN`, `END`, `print`, `printf`, `if`, `next`, `exit`, arithmetic, comparison, matching,
 * assignment, arrays, `for`, `while` and a few functions; no redirections.
 */
export const awk: Filter = (args, input, context) => {
  const options = parseOptions(args, { flags: '', valued: 'Fv' });
  const [program, ...files] = options?.operands ?? [];
  if (options === undefined || program === undefined || !isAscii(args.join(''))) return undefined;
  const rules = compileAwk(program);
  if (rules === undefined || files.some((file) => file.includes('='))) return undefined;
  const machine = createMachine(options.values.get('F')?.at(-1));
  for (const assignment of options.values.get('v') ?? []) {
    const [, name, value] = /^([A-Za-z_]\w*)=([^\\]*)$/.exec(assignment) ?? [];
    if (name === undefined || value === undefined || machine === undefined) return undefined;
    machine.variables.set(name, { kind: 'input', text: value });
  }
  if (machine === undefined) return undefined;
  for (const rule of rules) if (rule.when === 'begin') rule.run(machine);
  const reads = rules.some((rule) => rule.when !== 'begin');
  if (reads && !machine.ended) {
    const texts = readOperands(files, input, context);
    if (texts === undefined || texts.length !== 1 || !isAscii(texts[0] ?? '')) return undefined;
    for (const line of splitLines(texts[0] ?? '').lines) {
      machine.number += 1;
      createRecord(machine, line);
      machine.skips = false;
      for (const rule of rules) {
        if (rule.when === 'line' && !machine.skips && !machine.ended) rule.run(machine);
      }
      if (machine.ended || machine.failed) break;
    }
  }
  machine.skips = false;
  machine.ended = false;
  for (const rule of rules) if (rule.when === 'end' && !machine.ended) rule.run(machine);
  return machine.failed || machine.steps > mostSteps
    ? undefined
    : { output: machine.output.join(''), status: machine.status };
};

function createMachine(separator: string | undefined): Machine | undefined {
  // `-Ft` means a tab to some versions and the letter to others.
  if (separator === 't' || (separator !== undefined && /\\(?!t$|\|$|\.$)/.test(separator))) return undefined;
  const text = separator === '\\t' ? '\t' : (separator ?? ' ');
  return {
    variables: new Map([['FS', { kind: 'string', text }]]),
    arrays: new Map(),
    fields: [],
    number: 0,
    output: [],
    steps: 0,
    status: 0,
    skips: false,
    ended: false,
    failed: false,
  };
}

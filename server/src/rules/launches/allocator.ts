import {
  type AllocatorSetting,
  allocatorSettings,
  allocatorVariables,
  allocatorVariablesReadBy,
  knownSettings,
} from '../../frameworks/allocator.ts';
import type { Run } from '../../frameworks/framework.ts';
import { suggestSpelling } from '../../frameworks/suggest.ts';
import type { Place, Span } from '../../text/span.ts';
import { textOf, type Word } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/** What PyTorch refuses about a part of the text. */
interface Fault {
  /** Offsets of the characters to change. */
  readonly start: number;
  readonly end: number;
  readonly reason: string;
  /** The replacement, if it is obvious. */
  readonly replacement?: string;
  /** A newer PyTorch may know it. */
  readonly isUnsure?: true;
}

/** Settings of PyTorch's allocator that it refuses when the first tensor is put on a GPU. */
export function allocatorFindings(run: Run, common: CommonRules): Finding[] {
  const { env, framework } = run;
  const read = allocatorVariablesReadBy(releaseOf(run));
  const surely = (read ?? allocatorVariables).find((name) => env.has(name));
  return allocatorVariables.flatMap((name) => {
    if (read !== undefined && name !== surely) return [];
    // All releases read the older variable if it is the only one, and those before 2.10 read no other.
    const isUnsure = read === undefined && (name !== allocatorVariables[0] || areAllSet(env));
    const word = env.get(name)?.word;
    const text = word === undefined ? undefined : textOf(word);
    if (word === undefined || text === undefined) return [];
    return faultsOf(text).flatMap((fault) => {
      const place = placeWithin(word, fault.start, fault.end);
      return commonFinding(
        common,
        'allocator-setting',
        place ?? word.place,
        { name, reason: fault.reason },
        {
          ...(fault.isUnsure === true || isUnsure ? { severity: 'warning', certainty: 'likely' } : {}),
          framework,
          settings: [name],
          fixes: place === undefined ? [] : fixesOf(fault, place),
        },
      );
    });
  });
}

function releaseOf({ scopes }: Run): string | undefined {
  const release = scopes[0]?.lookup('version.torch')?.value;
  return release?.kind === 'known' && typeof release.data === 'string' ? release.data : undefined;
}

function areAllSet(env: Run['env']): boolean {
  return allocatorVariables.every((name) => env.has(name));
}

function fixesOf({ replacement }: Fault, { path, span }: Place): Fix[] {
  if (replacement === undefined) return [];
  const edits = [{ path, span, newText: replacement }];
  return [suggestedFix(`Write ${replacement}`, edits)];
}

/** What is wrong with an allocator string: comma-separated settings `name:value`, ignoring blanks. */
function faultsOf(text: string): readonly Fault[] {
  const faults: Fault[] = [];
  // Brackets enclose lists (`roundup_power2_divisions:[256:1,512:2]`), whose commas do not separate settings.
  for (const { index, 0: item } of text.matchAll(/(?:[^,[\]]|\[[^\]]*\])+/g)) {
    const fault = faultOf(item, text);
    if (fault !== undefined) faults.push({ ...fault, start: index + fault.start, end: index + fault.end });
  }
  return faults;
}

/**
 * @param item one of the settings
 * @param text all of them
 */
function faultOf(item: string, text: string): Fault | undefined {
  if (item.trim() === '') return undefined;
  const other = item.indexOf(';');
  if (other >= 0)
    return {
      start: other,
      end: other + 1,
      reason: 'a comma separates its settings, not a semicolon',
      replacement: ',',
    };
  const colon = item.indexOf(':');
  const equals = item.indexOf('=');
  if (colon < 0 && equals >= 0 && knownSettings.has(item.slice(0, equals).trim()))
    return {
      start: equals,
      end: equals + 1,
      reason: 'a colon separates name and value, not “=”',
      replacement: ':',
    };
  const written = colon < 0 ? item : item.slice(0, colon);
  const name = written.trim();
  const start = item.indexOf(name);
  const setting = knownSettings.get(name);
  if (setting === undefined) {
    const meant = suggestSpelling(name, [...knownSettings.keys()]);
    const reason = `it has no setting ${name}${meant === undefined ? '' : `; ${meant} is meant`}`;
    const at = { start, end: start + name.length, reason };
    return meant === undefined ? { ...at, isUnsure: true } : { ...at, replacement: meant };
  }
  if (colon < 0) return { start, end: start + name.length, reason: `${name} has no value` };
  const value = item.slice(colon + 1);
  if (value.trim() === '') return { start, end: colon + 1, reason: `${name} has no value` };
  const isFree = setting.leastUnless !== undefined && allocatorSettings(text).has(setting.leastUnless);
  return faultOfValue(isFree ? { ...setting, least: undefined } : setting, name, value, colon + 1);
}

function faultOfValue(
  setting: AllocatorSetting,
  name: string,
  written: string,
  offset: number,
): Fault | undefined {
  const value = written.trim();
  const start = offset + Math.max(0, written.indexOf(value));
  const at = { start, end: start + value.length };
  if (setting.takes === 'switch') return faultOfSwitch(name, value, at);
  if (setting.takes === 'name') return faultOfName(setting, name, value, at);
  const reason = faultOfNumber(setting, value);
  return reason === undefined ? undefined : { ...at, reason: `${name} ${reason}` };
}

function faultOfSwitch(name: string, value: string, at: Span): Fault | undefined {
  if (value === 'True' || value === 'False') return undefined;
  const meant = /^(?:true|1|yes|on)$/i.test(value)
    ? 'True'
    : /^(?:false|0|no|off)$/i.test(value)
      ? 'False'
      : undefined;
  const reason = `${name} is True or False, written so`;
  return meant === undefined ? { ...at, reason } : { ...at, reason, replacement: meant };
}

/** A name that is not among those known to all releases; a newer release, or one for other devices, may have more. */
function faultOfName(
  { values = [] }: AllocatorSetting,
  name: string,
  value: string,
  at: Span,
): Fault | undefined {
  if (values.includes(value)) return undefined;
  const letters = value.replace(/[_-]/g, '').toLowerCase();
  const meant = values.find((known) => known.toLowerCase() === letters);
  const reason = `${name} is ${values.join(' or ')}`;
  return meant === undefined ? { ...at, reason, isUnsure: true } : { ...at, reason, replacement: meant };
}

/** What is wrong with a number, to follow the name of its setting. C++ reads the numeric start of the text: `512MB` is 512, `80%` is 80. */
function faultOfNumber({ takes, least, most, powers }: AllocatorSetting, value: string): string | undefined {
  if (!/^[+-]?(?:\.?\d|inf|nan)/i.test(value)) return takes === 'text' ? undefined : 'is a number';
  // Numbers below 0 wrap around and become large.
  if (!/^\.?\d/.test(value)) return undefined;
  const number = takes === 'share' ? Number.parseFloat(value) : Number.parseInt(value, 10);
  if (takes === 'share' && (number <= 0 || number >= 1)) return 'is a part of the memory, between 0 and 1';
  if (least !== undefined && number < least) return `may not be below ${least}`;
  if (most !== undefined && number > most) return `may not be above ${most}`;
  return powers === true && !Number.isInteger(Math.log2(number)) ? 'is a power of 2' : undefined;
}

/** Where characters of a word were written; undefined if they are not there verbatim. */
function placeWithin({ pieces }: Word, start: number, end: number): Place | undefined {
  let at = 0;
  for (const piece of pieces) {
    if (piece.kind === 'hole') return undefined;
    const from = start - at;
    if (from >= 0 && end - at <= piece.text.length) {
      const { path, span } = piece.origin.place;
      const first = span.start + from;
      return piece.origin.verbatim ? { path, span: { start: first, end: first + end - start } } : undefined;
    }
    at += piece.text.length;
  }
  return undefined;
}

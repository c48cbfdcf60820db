import type { Data, Value } from '../../value/value.ts';
import { known } from '../../value/value.ts';
import type { Word } from '../../value/word.ts';
import { display, holeOf, textOf, writtenAt } from '../../value/word.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import { insteadOf } from '../instead.ts';
import { flagPlace, originOf, placeBeside } from '../places.ts';
import { accumulate, arity, flagValue, isList } from './actions.ts';
import { ambiguous } from './ambiguous.ts';
import { blankBehindEquals } from './blankBehindEquals.ts';
import type { FlagIndex, WordKind } from './classify.ts';
import { classifyWord, indexFlags } from './classify.ts';
import { duplicateProblems } from './duplicates.ts';
import { listInOneWord } from './listInOneWord.ts';
import { misspelt } from './misspelt.ts';
import type { ArgumentParser, BoundArguments, IgnoredFlag } from './parser.ts';
import { productInWords, productProblem } from './productInWords.ts';
import { type Given, problem, readValue, unreadable } from './readValue.ts';
import {
  besideSuccessors,
  flagOfOtherRelease,
  flagSetting,
  ownWords,
  removedSetting,
  successorHint,
  successorOf,
} from './renames.ts';
import { beginsComment, type StrayWord, strayProblems } from './stray.ts';

type Matched = Extract<WordKind, { kind: 'option' }>;

/** The words that make up an option's value; `joined`: written with `=` in the same word as the flag. */
interface ValueWords {
  readonly words: readonly Word[];
  readonly joined: boolean;
}

/** How many unknown flags of one launch are reported at most: each is compared with all known flags. */
export const maxUnknownReported = 1000;

/** Binds one command line; create a new one for each call. */
class Binder {
  readonly settings: Setting[] = [];
  readonly problems: BindingProblem[] = [];
  readonly positionals: Word[] = [];
  readonly ignored: IgnoredFlag[] = [];
  open = false;
  readonly #args: readonly Word[];
  readonly #kinds: readonly WordKind[];
  readonly #parser: ArgumentParser;
  readonly #index: FlagIndex;
  readonly #extra: ReadonlySet<string>;
  readonly #strays: StrayWord[] = [];

  constructor(args: readonly Word[], parser: ArgumentParser) {
    const index = indexFlags(parser.options, parser.allowAbbrev);
    this.#args = args;
    this.#parser = parser;
    this.#index = index;
    this.#extra = new Set(parser.extraOptions ?? []);
    const kinds = args.map((word) => classifyWord(word, index));
    const end = kinds.findIndex((kind) => kind.kind === 'separator');
    this.#kinds = end === -1 ? kinds : kinds.map((kind, at) => (at > end ? { kind: 'value' } : kind));
  }

  run(): void {
    let at = 0;
    while (at < this.#args.length) at = this.#step(at);
    const isSpelling = (flag: string): boolean => this.#isSpelling(flag);
    const strays = strayProblems(this.#strays, this.#parser.unknown, isSpelling);
    const isFork = this.#parser.fork === true;
    this.problems.push(...strays.map((each) => (isFork ? { ...each, severity: 'warning' as const } : each)));
    this.problems.push(...duplicateProblems(this.settings, this.#parser.options));
    this.problems.splice(0, this.problems.length, ...besideSuccessors(this.problems, this.settings));
  }

  #step(at: number): number {
    const word = this.#args[at];
    const kind = this.#kinds[at];
    if (word === undefined || kind === undefined) return at + 1;
    switch (kind.kind) {
      case 'option':
        return this.#option(at, word, kind);
      case 'unknown':
        return this.#unknown(at, word, kind.flag, kind.explicit);
      case 'ambiguous':
        this.problems.push(ambiguous(word, kind));
        return this.#skipValues(at + 1);
      case 'hole':
        this.open = true;
        return this.#skipValues(at + 1);
      case 'separator':
        return at + 1;
      case 'value':
        this.#positional(at, word);
        return at + 1;
    }
  }

  /** Words up to the next flag. */
  #skipValues(from: number): number {
    let at = from;
    for (; at < this.#args.length; at++) {
      const kind = this.#kinds[at]?.kind;
      if (kind !== 'value' && kind !== 'hole') break;
      if (kind === 'hole') this.open = true;
    }
    return at;
  }

  #positional(at: number, word: Word): void {
    this.positionals.push(word);
    // A custom program may take positional words, but not ones that were meant as a comment.
    if ((this.#parser.fork === true && !beginsComment(word)) || this.open) return;
    const before = this.#kinds[at - 1];
    // Of several such words in a row only the first is reported.
    if (before?.kind === 'value' && this.positionals.at(-2) === this.#args[at - 1]) return;
    const switchWord = this.#args[at - 1];
    const isSwitch = before?.kind === 'option' && arity(before.option)[1] === 0;
    this.#strays.push({
      word,
      place: writtenAt(word),
      flag: this.#endedBefore(at, word),
      behind: isSwitch && switchWord !== undefined ? { ...before, word: switchWord } : undefined,
    });
  }

  /** The flag that takes one word and already has it right before this word. */
  #endedBefore(at: number, word: Word): string | undefined {
    const [joined, apart] = [this.#kinds[at - 1], this.#kinds[at - 2]];
    const isSplit = (word.pieces[0]?.origin.via.length ?? 0) > 0;
    if (isSplit && joined?.kind === 'option' && joined.explicit !== undefined) return joined.flag;
    const isApart = apart?.kind === 'option' && apart.explicit === undefined;
    return isApart && arity(apart.option)[1] === 1 ? apart.flag : undefined;
  }

  #unknown(at: number, word: Word, flag: string, explicit: Word | undefined): number {
    const next = this.#skipValues(at + 1);
    const values = explicit === undefined ? this.#args.slice(at + 1, next) : [explicit];
    this.ignored.push({ flag, word, values, index: at });
    if (this.#extra.has(flag) || this.#parser.otherFlags?.has(flag) === true) return next;
    if (this.ignored.length > maxUnknownReported) return next;
    const lenient = this.#parser.fork === true;
    const other = this.#parser.otherReleases?.get(flag);
    const problem =
      other === undefined
        ? misspelt(flag, values.length, this.#parser, this.#index, (near) => this.#isGiven(near))
        : lenient
          ? undefined
          : flagOfOtherRelease(flag, other);
    if (problem === undefined) return next;
    const { replacement, ...said } = problem;
    const isRefused = this.#parser.unknown === 'refuse' && !lenient;
    const removal =
      problem.rule === 'removed-option' && other !== undefined
        ? removedSetting(other, flag, word, explicit, this.#args.slice(at + 1, next))
        : isRefused && (problem.values.meant === '' || this.#isGiven(problem.values.meant ?? ''))
          ? flagSetting(flag, flag, word, ownWords(values), explicit !== undefined)
          : undefined;
    const mayBeOlder = this.#parser.anyRelease === true && other?.gone === true;
    this.problems.push({
      ...said,
      place: flagPlace(word, flag),
      setting: undefined,
      replacement: word.pieces[0]?.origin.verbatim === true ? replacement : undefined,
      removal,
      severity: isRefused && !mayBeOlder ? 'error' : 'warning',
      related: [],
    });
    return next;
  }

  #isGiven(flag: string): boolean {
    return this.#kinds.some((kind) => kind.kind === 'option' && kind.flag === flag);
  }

  #isSpelling(flag: string): boolean {
    return this.#index.byFlag.has(flag) || this.#parser.otherFlags?.has(flag) === true;
  }

  #option(at: number, word: Word, match: Matched): number {
    const { option, flag, explicit } = match;
    const written = match.abbreviation ?? flag;
    const given = { option, word, flag, written };
    if (match.abbreviation !== undefined)
      this.problems.push(
        problem('abbreviated-option', flagPlace(word, written), 'info', { name: written, full: flag }, flag),
      );
    return explicit === undefined
      ? this.#valuesBehind(at + 1, given)
      : this.#joinedValue(at, given, explicit);
  }

  /** Takes the value joined to the flag by `=`. */
  #joinedValue(at: number, given: Given, explicit: Word): number {
    const { option, word, flag, written } = given;
    const [least, most] = arity(option);
    if (most === 0) {
      const values = { name: flag, value: display(explicit) };
      this.problems.push(problem('unexpected-value', flagPlace(word, written), 'error', values));
      this.#give(given, { words: [], joined: true }, known(flagValue(option, flag)));
      return at + 1;
    }
    if (least > 1) {
      this.#missing(given, least, undefined);
      return at + 1;
    }
    const firstNew = this.problems.length;
    this.#store(given, { words: [explicit], joined: true });
    const [refused, next] = [this.problems[firstNew], this.#args[at + 1]];
    if (refused === undefined || next === undefined || this.#kinds[at + 1]?.kind !== 'value') return at + 1;
    const joined = blankBehindEquals(refused, given, explicit, next, this.#parser);
    if (joined === undefined) return at + 1;
    this.problems.splice(firstNew, 1, joined);
    this.positionals.push(next);
    return at + 2;
  }

  /** Takes the values that follow the flag as separate words. */
  #valuesBehind(from: number, given: Given): number {
    const { option, flag } = given;
    const [least, most] = arity(option);
    const values: Word[] = [];
    let next = from;
    while (values.length < most) {
      const kind = this.#kinds[next]?.kind;
      const value = this.#args[next];
      if (value === undefined || (kind !== 'value' && kind !== 'hole')) break;
      values.push(value);
      next += 1;
      // An unquoted hole behind a flag that takes several values may contain flags.
      if (kind === 'hole' && most > 1 && holeOf(value)?.splits === true) this.open = true;
    }
    if (values.length < least) {
      if (values.some((value) => holeOf(value)?.splits === true)) this.open = true;
      else {
        const setting = this.#give(given, { words: values, joined: false }, unreadable(''));
        const meant = listInOneWord(option, values, this.#parser);
        this.#missing(given, least, this.#args[next], meant && { setting, meant });
        return next;
      }
    }
    if (most === 0) this.#give(given, { words: [], joined: false }, known(flagValue(option, flag)));
    else if (most === 1) return this.#oneValue(next, given, values);
    else this.#store(given, { words: values, joined: false });
    return next;
  }

  /** Takes the single value of an option, plus words that belong to it although they are separate. */
  #oneValue(next: number, given: Given, values: readonly Word[]): number {
    const [value] = values;
    const mayBeMore = this.#parser.fork !== true && !this.open && this.#kinds[next]?.kind === 'value';
    const product =
      value === undefined || !mayBeMore
        ? undefined
        : productInWords(given.word, value, this.#args.slice(next, this.#endOfValues(next)));
    if (product === undefined) {
      this.#store(given, { words: values, joined: false });
      return next;
    }
    // Keep them together: anything inserted after the setting would separate them and itself become part of the product.
    this.#give(given, { words: [...values, ...product.words], joined: false }, unreadable(product.text));
    this.problems.push(productProblem(product, this.#parser.unknown));
    this.positionals.push(...product.words);
    return next + product.words.length;
  }

  /** The index of the next word that is not a value. */
  #endOfValues(from: number): number {
    let end = from;
    while (this.#kinds[end]?.kind === 'value') end += 1;
    return end;
  }

  #missing(
    { word, flag, written }: Given,
    wanted: number,
    next: Word | undefined,
    held?: Pick<BindingProblem, 'setting' | 'meant'>,
  ): void {
    const several = wanted === 1 ? '' : ` of ${wanted} words`;
    const behind = next === undefined ? '' : `; the next word is ${display(next)}`;
    const detail = `${several}${held === undefined ? behind : ', and they stand in one'}`;
    const values = { name: flag, detail };
    const place = flagPlace(word, written);
    this.problems.push({ ...problem('missing-value', place, 'error', values), ...held });
  }

  #store(given: Given, values: ValueWords): void {
    const { option, word, flag } = given;
    const { words } = values;
    const items: Data[] = [];
    let hidden: Value | undefined;
    const refused: BindingProblem[] = [];
    for (const valueWord of words) {
      const converted = readValue(given, valueWord, this.#parser, refused);
      if (converted.kind === 'known') items.push(converted.data);
      else hidden ??= converted;
    }
    const value = hidden ?? known(isList(option) ? items : (items[0] ?? option.constant ?? null));
    const isOnly = refused.length > 0 && this.#last(option.name) === undefined;
    const setting = this.#give(given, values, value);
    if (refused.length > 0) {
      const meant = listInOneWord(option, words, this.#parser);
      const more = {
        instead: isOnly ? insteadOf(option, setting) : undefined,
        ...(meant && { setting, meant }),
      };
      for (const problem of refused)
        this.problems.push({
          ...problem,
          ...more,
          ...(meant && { values: { ...problem.values, expected: 'its elements as separate words' } }),
        });
    }
    const text = words.length === 1 && words[0] !== undefined ? textOf(words[0]) : undefined;
    const swallowed = text?.startsWith('--') === true ? text.split(/[\s=]/, 1)[0] : undefined;
    if (swallowed !== undefined && this.#isSpelling(swallowed))
      this.problems.push(
        problem('swallowed-option', placeBeside(words[0] ?? word, word), 'warning', {
          name: flag,
          value: text ?? '',
        }),
      );
  }

  #give(given: Given, { words, joined }: ValueWords, value: Value): Setting {
    const { option, word, written } = given;
    const first = words[0];
    const earlier =
      option.action === 'append' || option.action === 'count' ? this.#last(option.name) : undefined;
    const setting: Setting = {
      name: option.name,
      written,
      value: accumulate(option, earlier?.value, value),
      keyPlace: flagPlace(word, written),
      valuePlace: first === undefined ? undefined : placeBeside(first, word),
      origin: originOf(words),
      syntax: { kind: 'flag', keyWord: word, valueWords: words, joined },
    };
    this.settings.push(setting);
    if (option.deprecated === true) this.#deprecated(given, setting);
    return setting;
  }

  #deprecated({ option, word, flag }: Given, setting: Setting): void {
    const successor = word.pieces[0]?.origin.verbatim === true ? successorOf(option, this.#index) : undefined;
    this.problems.push({
      rule: 'deprecated-option',
      place: setting.keyPlace,
      values: {
        name: flag,
        hint: option.unused === true ? ' and has no effect' : successorHint(option, this.#index),
      },
      setting,
      removal: option.unused === true ? setting : undefined,
      replacement: successor?.text,
      successor: successor?.given,
      severity: 'info',
      related: [],
    });
  }

  #last(name: string): Setting | undefined {
    return this.settings.findLast((setting) => setting.name === name);
  }
}

/**
 * Reads a command line as Python's argparse does: `--flag value`, `--flag=value`, all `nargs`, types, choices, abbreviations, negative numbers,
 * `--`; the last of two uses wins. A word with a hole is an unknown value in the position of a value, and leaves the run open in the position
 * of a flag. Problems carry rule ids of schemas/common/rules/.
 */
export function bindArguments(args: readonly Word[], parser: ArgumentParser): BoundArguments {
  const binder = new Binder(args, parser);
  binder.run();
  return binder;
}

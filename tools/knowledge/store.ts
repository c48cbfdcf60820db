import type { Knowledge, OptionFact } from '../../server/src/frameworks/knowledge.ts';
import {
  type StoredKnowledge,
  type StoredOption,
  usualFlag,
} from '../../server/src/frameworks/storedKnowledge.ts';
import { folded } from './fold.ts';

/** Knowledge as the build writes it, which `knowledgeIn` reads: without what can be made from the rest. */
export function stored(knowledge: Knowledge): StoredKnowledge {
  return {
    ...knowledge,
    options: knowledge.options.map(storedOption),
    sources: knowledge.options.map(({ source }) => source),
    constraints: folded(knowledge.constraints),
  };
}

function storedOption({ source: _, ...option }: OptionFact): StoredOption {
  const [flag, ...others] = option.flags ?? [];
  return flag === usualFlag(option.name) && others.length === 0 ? { ...option, flags: 'usual' } : option;
}

/** JSON in ASCII, which loads twice as fast as text with a few other characters, and is the same to whoever parses it. */
export function asciiJson(value: unknown): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[\u0080-\uffff]/g, escaped);
}

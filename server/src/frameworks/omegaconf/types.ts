import type { Data } from '../../value/value.ts';
import type { OptionFact, OptionType } from '../knowledge.ts';
import { typeOfData } from './merge.ts';
import type { ParsedType } from './scalar.ts';

/** Whether data of a Python type suits an option: an integer also counts as a float, null only if the option may be null. */
export function suits(option: OptionFact, data: Data, type: ParsedType | undefined): boolean {
  const found = type ?? typeOfData(data);
  // If the default is the empty string, null means the same to the code that reads it.
  if (found === 'null')
    return (
      option.nullable === true || option.default === null || option.default === '' || option.type === 'any'
    );
  if (option.type === 'list')
    return Array.isArray(data) && data.every((item) => item === null || fits(option.items, typeOfData(item)));
  return fits(option.type, found);
}

function fits(wanted: OptionType | undefined, found: ParsedType): boolean {
  switch (wanted) {
    case 'int':
      return found === 'int';
    case 'float':
      return found === 'int' || found === 'float';
    case 'bool':
      return found === 'bool';
    case 'str':
      return found === 'str';
    case 'list':
      return found === 'list';
    case 'dict':
    case 'group':
      return found === 'dict';
    case 'json':
    case 'any':
    case undefined:
      return true;
  }
}

const words: { readonly [type in OptionType]: string } = {
  int: 'a whole number',
  float: 'a number',
  str: 'a text',
  bool: 'true or false',
  json: 'JSON',
  list: 'a list',
  dict: 'a mapping',
  group: 'keys below it',
  any: 'a value',
};

/** What an option takes, in words: “a whole number or null”. */
export function expectation(option: OptionFact): string {
  const main =
    option.type === 'list' && option.items !== undefined
      ? `a list, each item ${words[option.items]}`
      : words[option.type];
  return option.nullable === true ? `${main} or null` : main;
}

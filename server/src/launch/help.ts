import { textOf } from '../value/word.ts';
import type { Launch } from './launch.ts';

/** Whether a launch asks its program for help, which Python's argument parsers print before they exit without an error. */
export function asksForHelp({ args }: Launch): boolean {
  return args.some((word) => /^(?:-h|--help)$/.test(textOf(word) ?? ''));
}

import type { Word } from '../value/word.ts';
import { chainOf } from './chain.ts';
import type { Command } from './command.ts';

/** The runtime environments, as JSON, with which a command and the ones around it are submitted to Ray. */
export function submittedEnvironments(command: Command): readonly Word[] {
  return [command, ...command.via].flatMap(({ words }) =>
    chainOf(words).steps.flatMap(({ wrapper, options, unread }) => {
      const name = wrapper.environment?.runtimeEnvironment;
      if (name === undefined) return [];
      // Of several the last one is read; an unknown word behind it may hold another.
      const index = options.findLastIndex((use) => use.name === name);
      const value = options[index]?.value;
      return value === undefined || unread.some(({ after }) => after > index) ? [] : [value];
    }),
  );
}

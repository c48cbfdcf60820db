import type { Value } from '../../value/value.ts';
import type { Origin } from '../../value/word.ts';
import type { Setting } from '../framework.ts';
import type { Written } from './tree.ts';

/** A setting written at one place and, if it came through a reference, used at another. */
export function settingAt(name: string, value: Value, at: Written, used: Written | undefined): Setting {
  const origin: Origin | undefined =
    used === undefined
      ? at.origin
      : {
          place: at.origin?.place ?? at.place,
          via: [...(at.origin?.via ?? []), used.place],
          verbatim: at.origin?.verbatim ?? false,
        };
  return {
    name,
    written: name,
    value,
    keyPlace: used?.keyPlace ?? at.keyPlace,
    valuePlace: used?.place ?? at.place,
    origin,
    syntax: at.syntax,
  };
}

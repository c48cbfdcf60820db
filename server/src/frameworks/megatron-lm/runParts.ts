import type { Launch } from '../../launch/launch.ts';
import type { Place } from '../../text/span.ts';
import type { Value } from '../../value/value.ts';
import type { Word } from '../../value/word.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import type { BindingContext } from '../framework.ts';
import type { EntryScript } from './entries.ts';

/** What is known of a run before its words are read: from a launch, or from a configuration that contains the words. */
export interface RunParts {
  readonly args: readonly Word[];
  readonly env: ReadonlyMap<string, Word>;
  readonly worldSize: Value;
  readonly launch: Launch | undefined;
  readonly documents: readonly YamlDocument[];
  readonly place: Place;
  readonly because: string;
  readonly context: BindingContext;
  readonly entry: EntryScript | undefined;
  /** The program does not train: it generates text, evaluates or changes a checkpoint. */
  readonly inference: boolean;
  /** Upstream's path of the entry script; undefined for a fork or if the script is unknown. */
  readonly upstream: string | undefined;
  /** The release of the Megatron tree that contains the text, or of the copy that the text names. */
  readonly ofTree: string | undefined;
  /** The text names, or is in, a Megatron of another version: nothing is certain enough for an error. */
  readonly otherVersion: boolean;
  /** Another package patches Megatron before it starts. */
  readonly patched?: boolean;
}

import { applyEdits } from '../../server/src/text/edit.ts';
import { type MachineProfile, noProfile } from '../../server/src/value/machine.ts';
import { loadKnowledge, testLinter } from './knowledge.ts';
import { memoryHost } from './memoryHost.ts';

const knowledge = loadKnowledge();

/** A project that declares the newest release of Megatron-LM. */
const newest: MachineProfile = {
  ...noProfile,
  versions: { 'megatron-core': knowledge.knowledgeOf('megatron-lm').release ?? '' },
};

/** What a rule reports about a file, and the file after the rule's first fix. */
export function mended(path: string, text: string, rule: string, machine = newest) {
  const lint = (now: string) =>
    testLinter(knowledge, memoryHost({ [path]: now }), machine).lint(path, now).findings;
  const finding = lint(text).find((each) => each.rule === rule);
  const [fix] = finding?.fixes ?? [];
  const after = fix === undefined ? undefined : applyEdits(text, fix.edits);
  return {
    message: finding?.message,
    title: fix?.title,
    safety: fix?.safety,
    after,
    left: after === undefined ? undefined : lint(after).filter((each) => each.rule === rule).length,
  };
}

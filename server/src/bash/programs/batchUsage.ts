import { isShellName } from '../../text/fileNames.ts';
import { countAskedBy, type SlurmCount } from '../../value/slurmCounts.ts';
import { endOfHead } from './batchDirectives.ts';

/** Numbers that comments pass to sbatch, as written, by what they count. */
export type SubmittedCounts = ReadonlyMap<SlurmCount, ReadonlySet<string>>;

/**
 * The numbers with which comments at the head of a script tell users to submit it (`# sbatch --nodes=16 train.sh 70B`). They override those of
 * the script's own `#SBATCH` lines.
 */
export function countsInUsage(text: string): SubmittedCounts {
  const out = new Map<SlurmCount, Set<string>>();
  for (const words of submissions(text.slice(0, endOfHead(text))))
    for (const [at, word] of words.entries()) {
      const asked = countAskedBy(word, words[at + 1]);
      if (asked === undefined) continue;
      const values = out.get(asked.count) ?? new Set();
      out.set(asked.count, values.add(asked.value));
    }
  return out;
}

/** The words after `sbatch` in comments, up to the name of a script: what follows that are the script's own arguments. */
function submissions(head: string): readonly (readonly string[])[] {
  if (!/sbatch[ \t]/.test(head)) return [];
  const out: (readonly string[])[] = [];
  let open = '';
  for (const line of head.split('\n')) {
    const text = line.startsWith('#') && !line.startsWith('#SBATCH') ? line.slice(1).trim() : '';
    const at = open === '' ? text.search(/sbatch[ \t]/) : 0;
    if (text === '' || at < 0) open = '';
    else if (text.endsWith('\\')) open += `${text.slice(at, -1)} `;
    else {
      const words = `${open}${text.slice(at)}`.split(/[ \t]+/).slice(1);
      const script = words.findIndex((word) => isShellName(word) || word === '$0');
      out.push(script < 0 ? words : words.slice(0, script));
      open = '';
    }
  }
  return out;
}

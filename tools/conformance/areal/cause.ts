import type { Answer } from '../answers.ts';
import type { OracleRecord } from './record.ts';

/** The keys that upstream's error is about: `full_key` of OmegaConf, keys in quotes, and what the failing check reads. */
function causeKeys(record: OracleRecord): string[] {
  const keys: string[] = [];
  const full = /full_key: (\S+)/.exec(record.message)?.[1];
  if (full !== undefined) keys.push(full.split('.').at(-1) ?? full);
  for (const match of record.message.matchAll(/[`'"]([A-Za-z_][\w.-]*)[`'"=]/g))
    if (match[1] !== undefined) keys.push(match[1]);
  for (const match of record.message.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)\b/g))
    if (match[1] !== undefined) keys.push(match[1]);
  const missing = /mandatory value: (\w+)/.exec(record.message)?.[1];
  if (missing !== undefined) keys.push(missing);
  if (record.stage === 'yaml')
    keys.push('yaml', ...record.overrides.map((one) => one.replace(/^[+~]+/, '').split('=')[0] ?? one));
  return keys;
}

/** Words in upstream's messages for things that people write under another name. */
const alias: { readonly [topic: string]: readonly RegExp[] } = {
  backend: [
    /backend|alloc|parallel|tp|pp|ep|dp|world|gpus|head|expert|optimizer|Replica|stage|attention|cp\b/i,
  ],
  scheduling: [/Colocat|Replica|worker|SchedulingStrategy|cmd|spec|GPU/i],
};

/** Whether one of our findings is about what upstream's message names. */
export function sameCause(record: OracleRecord, answers: readonly Answer[]): boolean {
  const wanted = causeKeys(record);
  const text = `${record.message} ${record.at}`;
  return answers.some((answer) =>
    answer.names.some(
      (name) =>
        wanted.some((key) => name === key || name.endsWith(`.${key}`) || name.includes(key)) ||
        name.split('.').some((part) => part.length > 3 && text.replaceAll(' ', '_').includes(part)) ||
        ((name.endsWith('.backend') || name.endsWith('allocation_mode')) &&
          alias.backend?.some((one) => one.test(text)) === true) ||
        (name.includes('scheduling_') && alias.scheduling?.some((one) => one.test(text)) === true) ||
        (name.includes('n_gpus_per_node') && /division|GPUs/.test(text)),
    ),
  );
}

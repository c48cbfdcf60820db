import { createHash } from 'node:crypto';
import type { Host } from '../value/host.ts';
import { type HostAnswer, notedHost } from '../value/notedHost.ts';

/** Questions that were put to the workspace, each with its answer in short. */
export type Answers = readonly (readonly [question: string, answer: string])[];

/** A host that notes what it is asked. */
export interface NotingHost {
  readonly host: Host;
  /** What was asked since the last call, in the order in which it was asked first. */
  taken(): Answers;
}

/** What stands for a text: equal only for equal texts. */
export function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

/** How an answer is written down. */
function short(question: keyof Host, answer: HostAnswer): string {
  if (answer === undefined) return '-';
  if (typeof answer !== 'string') return digestOf(answer.join('/'));
  return question === 'read' ? digestOf(answer) : answer;
}

/** Notes what a host is asked. Its answers must not change while it is used. */
export function notingHost(base: Host): NotingHost {
  const known = new Map<string, string>();
  let asked = new Set<string>();
  const host = notedHost(base, (name, path, answer) => {
    const question = `${name} ${path}`;
    if (!known.has(question)) known.set(question, short(name, answer));
    asked.add(question);
  });
  return {
    host,
    taken: () => {
      const answers = [...asked].map((question): [string, string] => [question, known.get(question) ?? '']);
      asked = new Set();
      return answers;
    },
  };
}

/** Makes a function that tells whether a host answers as it did then. Each question is put once. */
export function stillAnswers(host: Host): (then: Answers) => boolean {
  const now = new Map<string, string>();
  const answerOf = (question: string): string => {
    const known = now.get(question);
    if (known !== undefined) return known;
    const blank = question.indexOf(' ');
    const answer = answerTo(host, question.slice(0, blank), question.slice(blank + 1));
    now.set(question, answer);
    return answer;
  };
  return (then) => then.every(([question, answer]) => answerOf(question) === answer);
}

function answerTo(host: Host, name: string, path: string): string {
  switch (name) {
    case 'read':
      return short('read', host.read(path));
    case 'kind':
      return short('kind', host.kind(path));
    case 'list':
      return short('list', host.list(path));
    case 'rootOf':
      return short('rootOf', host.rootOf(path));
    default:
      return '';
  }
}

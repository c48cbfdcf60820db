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
  // Many files ask the same: one object a question, however often it is asked, also where the answers of all files are written down.
  const known = new Map<string, Answers[number]>();
  const asked = new Set<Answers[number]>();
  const host = notedHost(base, (name, path, answer) => {
    const question = `${name} ${path}`;
    let noted = known.get(question);
    if (noted === undefined) {
      noted = [question, short(name, answer)];
      known.set(question, noted);
    }
    asked.add(noted);
  });
  return {
    host,
    taken: () => {
      const answers = [...asked];
      asked.clear();
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

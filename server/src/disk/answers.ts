import { createHash } from 'node:crypto';
import type { Host } from '../value/host.ts';
import { type HostAnswer, notedHost } from '../value/notedHost.ts';

/** Questions to the workspace, each with a digest of its answer. */
export type Answers = readonly (readonly [question: string, answer: string])[];

/** A host that records what it is asked. */
export interface RecordingHost {
  readonly host: Host;
  /** What was asked since the last call, in the order of the first questions. */
  taken(): Answers;
}

/** A digest of a text: equal only for equal texts. */
export function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

/** The recorded form of an answer. */
function short(question: keyof Host, answer: HostAnswer): string {
  if (answer === undefined) return '-';
  if (typeof answer !== 'string') return digestOf(answer.join('/'));
  return question === 'read' ? digestOf(answer) : answer;
}

/** Records what a host is asked. Its answers must not change while it is used. */
export function recordingHost(base: Host): RecordingHost {
  // Many files ask the same question: it is one object, however often it is asked, also when the answers of all files are saved.
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

/** Makes a function that tells whether a host still gives the recorded answers. Each question is asked once. */
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

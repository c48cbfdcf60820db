import type { Host } from './host.ts';

/** A host's answer to one of its questions. */
export type HostAnswer = ReturnType<Host[keyof Host]>;

/** A host that reports each question asked, with its answer. */
export function notedHost(
  host: Host,
  note: (question: keyof Host, path: string, answer: HostAnswer) => void,
): Host {
  const noted = <Answer extends HostAnswer>(question: keyof Host, path: string, answer: Answer): Answer => {
    note(question, path, answer);
    return answer;
  };
  return {
    read: (path) => noted('read', path, host.read(path)),
    kind: (path) => noted('kind', path, host.kind(path)),
    list: (path) => noted('list', path, host.list(path)),
    rootOf: (path) => noted('rootOf', path, host.rootOf(path)),
  };
}

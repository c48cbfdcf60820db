import type { Look, Question, Reply, Request } from './look.ts';

/** The page's access to the engine in its worker. Each promise rejects if the engine fails. */
export class RemoteEngine {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { done: (reply: Reply) => void; failed: (error: Error) => void }>();
  #asked = 0;

  /** @param script the address of the worker's script */
  constructor(script: string) {
    this.#worker = new Worker(script);
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      this.#waiting.get(data.id)?.done(data);
      this.#waiting.delete(data.id);
    });
    this.#worker.addEventListener('error', ({ message }) => {
      for (const { failed } of this.#waiting.values()) failed(new Error(message));
      this.#waiting.clear();
    });
  }

  /** Waits until the engine has loaded its knowledge. */
  async started(): Promise<void> {
    const reply = await this.#ask({ wanted: 'start' });
    if (!('started' in reply)) throw new Error(failureOf(reply));
  }

  /** Everything shown about a text. */
  async look(path: string, text: string): Promise<Look> {
    const reply = await this.#ask({ wanted: 'look', path, text });
    if ('look' in reply) return reply.look;
    throw new Error(failureOf(reply));
  }

  /** The text after all suggested fixes. */
  async fixAll(path: string, text: string): Promise<string> {
    const reply = await this.#ask({ wanted: 'all fixes', path, text });
    if ('fixed' in reply) return reply.fixed;
    throw new Error(failureOf(reply));
  }

  #ask(question: Question): Promise<Reply> {
    const id = this.#asked++;
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      this.#worker.postMessage({ id, ...question } satisfies Request);
    });
  }
}

function failureOf(reply: Reply): string {
  return 'failure' in reply ? reply.failure : 'the engine answered something else than was asked';
}

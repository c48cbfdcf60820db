import { type Engine, loadEngine } from './engine.ts';
import type { Reply, Request } from './look.ts';

// The engine of the playground, separate from the page: a long text takes seconds on a busy machine, and the page must stay responsive.

const engine = loadEngine('knowledge/');

function answered(loaded: Engine, request: Request): Reply {
  const { id, wanted } = request;
  if (wanted === 'start') return { id, started: true };
  const { path, text } = request;
  return wanted === 'look' ? { id, look: loaded.look(path, text) } : { id, fixed: loaded.fixAll(path, text) };
}

async function reply(request: Request): Promise<Reply> {
  try {
    return answered(await engine, request);
  } catch (error) {
    return { id: request.id, failure: error instanceof Error ? error.message : String(error) };
  }
}

self.addEventListener('message', async ({ data }: MessageEvent<Request>) => {
  self.postMessage(await reply(data));
});

import { describe, expect, it } from 'vitest';
import type { CancellationToken, Uri } from 'vscode';
import { wholeDiagnostics } from '../../../client/wholeDiagnostics.ts';

describe('an answer with diagnostics', () => {
  const calledOff = new Error('called off');
  const { provideDiagnostics } = wholeDiagnostics(() => calledOff);

  /** Asks once; while the client converts the answer, the request stands or is cancelled. */
  const asked = async (isCalledOff: boolean): Promise<unknown> => {
    const state = { isCancellationRequested: false };
    const token: Pick<CancellationToken, 'isCancellationRequested'> = state;
    return provideDiagnostics?.call(undefined, uri(), undefined, whole(token), () => {
      state.isCancellationRequested = isCalledOff;
      return Promise.resolve(null);
    });
  };

  it('is taken as is', async () => {
    expect(await asked(false)).toBeNull();
  });

  it('is dropped if the request was cancelled during conversion', async () => {
    await expect(asked(true)).rejects.toBe(calledOff);
  });
});

function whole(token: Pick<CancellationToken, 'isCancellationRequested'>): CancellationToken {
  return Object.assign(token, { onCancellationRequested: () => ({ dispose: () => undefined }) });
}

function uri(): Uri {
  const parts = {
    scheme: 'file',
    authority: '',
    path: '/run.sh',
    query: '',
    fragment: '',
    fsPath: '/run.sh',
  };
  const made: Uri = { ...parts, with: () => made, toJSON: () => parts };
  return made;
}

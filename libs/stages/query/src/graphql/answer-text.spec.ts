import { describe, expect, it } from '@jest/globals';
import { actFor } from '@stratalog/concurrency';
import { CancelledError } from '@stratalog/domain';
import { ServedSchema, answerText } from './answer-text';

describe('a text of GraphQL', () => {
  it('ends when its caller disconnects, whatever it waits for', async () => {
    const registry = { entityTypes: [], urnNamespace: 'li' };
    const leaving = new AbortController();
    let isAsked = false;
    const search = (): Promise<never> => {
      isAsked = true;
      leaving.abort(new CancelledError('The client went away'));
      return new Promise(() => undefined);
    };
    const deps = { registry, graphqlMaxReads: 1_000, served: new ServedSchema(registry as never) };
    const scope = {
      actor: 'urn:li:corpuser:ada',
      unknown: { reportSentence: () => undefined, report: () => undefined, settle: () => undefined },
      searched: search,
    };
    const caller = { disconnected: leaving.signal, timeLimitMs: 60_000, writes: false };
    const query = '{searchAcrossEntities(input: {query: "*"}) {total}}';
    const answer = actFor(caller, () => answerText(deps as never, { query }, scope as never));
    await expect(answer).rejects.toThrow(CancelledError);
    expect(isAsked).toBe(true);
  });
});

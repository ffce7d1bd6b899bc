import { describe, expect, it } from '@jest/globals';
import { ApiClient } from './api-client';
import { CallRejectedError, NoAnswerError, UnexpectedAnswerError } from './call-errors';
import type { FetchOptions } from './fetch';

const REJECTION = '{"message":"Parameter \'entity\' is missing","status":400}';

/** A client whose calls are all answered with this text. */
function answering(text: string, status = 200) {
  const sent: { readonly url: string; readonly options: FetchOptions }[] = [];
  const client = new ApiClient({
    server: 'http://catalog.example/api/',
    token: 'of an operator',
    fetch: (url, options) => {
      sent.push({ url, options });
      return Promise.resolve(new Response(text, { status, headers: { 'X-Stratalog-Position': '0:7' } }));
    },
  });
  return { client, sent };
}

describe('the client', () => {
  it('sends its token and the protocol with each call, and the headers of the call', async () => {
    const { client, sent } = answering('{"value":[]}');
    const query = { entity: 'dataset', input: '*', start: 0, count: 0 };
    await client.call('POST /entities?action=search', query, { headers: { 'X-Stratalog-Wait-For': '0:7' } });
    expect(sent).toEqual([
      {
        url: 'http://catalog.example/api/entities?action=search',
        options: {
          method: 'POST',
          headers: {
            'X-RestLi-Protocol-Version': '2.0.0',
            Authorization: 'Bearer of an operator',
            'Content-Type': 'application/json',
            'X-Stratalog-Wait-For': '0:7',
          },
          body: JSON.stringify({ entity: 'dataset', input: '*', start: 0, count: 0 }),
        },
      },
    ]);
  });

  it('returns the value of an action with the text and the headers of the answer', async () => {
    const { client } = answering('{"value":{"numEntities":9007199254740993}}');
    const reply = await client.call('POST /operations?action=getIndexSizes');
    expect(reply.answer).toEqual({ numEntities: 9_007_199_254_740_993n });
    expect([reply.text, reply.headers.get('x-stratalog-position')]).toEqual([
      '{"value":{"numEntities":9007199254740993}}',
      '0:7',
    ]);
  });

  it('returns no answer for an empty body', async () => {
    const { answer } = await answering('').client.call('POST /entities?action=ingest', {
      entity: { value: {} },
    });
    expect(answer).toBeUndefined();
  });

  it.each([
    [400, REJECTION, "Parameter 'entity' is missing", false],
    [503, '{"message":"The index is being built"}', 'The index is being built', true],
    [502, '<html>Bad Gateway</html>', 'HTTP status 502', false],
  ])('fails with the message of a rejection with status %d', async (status, text, message, isTransient) => {
    const error: unknown = await answering(text, status)
      .client.call('GET /config')
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CallRejectedError);
    expect(error).toMatchObject({ status, text, message, isTransient });
  });

  it.each(['<html>Welcome</html>', '[]', '{"values":1}'])(
    'fails where another server answers an action with %s',
    async (text) => {
      const call = answering(text).client.call('POST /operations?action=getIndexSizes');
      await expect(call).rejects.toThrow(UnexpectedAnswerError);
    },
  );

  it.each(['<html>Welcome</html>', '[]', '"ready"'])(
    'fails where another server answers a read with %s',
    async (text) => {
      await expect(answering(text).client.call('GET /health')).rejects.toThrow(UnexpectedAnswerError);
    },
  );

  it('fails with the cause where no answer arrives, and with the reason of a signal that is aborted', async () => {
    const cause = new TypeError('fetch failed');
    const client = new ApiClient({ server: 'http://catalog.example', fetch: () => Promise.reject(cause) });
    await expect(client.call('GET /config')).rejects.toThrow(
      new NoAnswerError('http://catalog.example', cause),
    );
    const reason = new Error('the page is closed');
    const call = client.call('GET /config', undefined, { signal: AbortSignal.abort(reason) });
    await expect(call).rejects.toBe(reason);
  });
});

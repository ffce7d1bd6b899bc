import { Controller, Module } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { currentCaller } from '@stratalog/ports';
import * as z from 'zod';
import { bootWire } from '../testing/boot-wire';
import { defineRoute } from './define-route';
import { Route } from './route.decorators';

const answer = () => ({ writes: currentCaller()?.writes ?? null });

@Controller()
class SayingController {
  @Route(defineRoute({ app: 'query', path: 'saying' }))
  read() {
    return answer();
  }

  @Route(defineRoute({ app: 'query', path: 'saying', method: 'DELETE' }))
  remove() {
    return answer();
  }

  @Route(defineRoute({ app: 'query', path: 'saying', action: 'says' }))
  act() {
    return answer();
  }

  @Route(defineRoute({ app: 'query', path: 'saying', action: 'reads', writes: false }))
  reads() {
    return answer();
  }
}

@Module({ controllers: [SayingController] })
class SayingModule {}

describe('A call', () => {
  it('counts as a write, which outlives its client, unless it is a GET or its route only reads', async () => {
    const { application, get, post, send } = await bootWire(SayingModule);
    try {
      const removed = await send('DELETE /saying HTTP/1.1\r\nHost: catalog\r\n\r\n');
      expect([(await get('/saying')).body, removed.body]).toEqual(['{"writes":false}', '{"writes":true}']);
      const said = async (action: string) => (await post(`/saying?action=${action}`, '{}')).body;
      expect([await said('says'), await said('reads')]).toEqual([
        '{"value":{"writes":true}}',
        '{"value":{"writes":false}}',
      ]);
    } finally {
      await application.close();
    }
  });
});

describe('A route', () => {
  const parameters = z.object({ urn: z.string(), types: z.array(z.string()), count: z.string().optional() });
  const docs = { group: 'Server', summary: 'Do it', examples: [] } as const;

  it('has its parameters in the path and the query', () => {
    const route = defineRoute({ app: 'query', path: 'things/:urn', parameters, docs });
    expect(route.docs?.parameters).toEqual([
      { in: 'path', name: 'urn', description: '', schema: { type: 'string' } },
      {
        in: 'query',
        name: 'types',
        description: '',
        schema: { type: 'string' },
        isList: true,
        isRequired: true,
      },
      { in: 'query', name: 'count', description: '', schema: { type: 'string' } },
    ]);
    expect(route.docs?.body).toBeUndefined();
  });

  it('that is an action has them in its body', () => {
    const {
      method,
      writes,
      docs: described,
    } = defineRoute({ app: 'query', path: 'things', action: 'do', parameters, docs });
    expect([method, writes, described?.parameters]).toEqual(['POST', true, []]);
    expect(described?.body).toMatchObject({ type: 'object', required: ['urn', 'types'] });
  });

  it('rejects nested values by their paths', () => {
    const { reject, rejectAll } = defineRoute({ app: 'query', path: 'things', action: 'do' });
    expect(() => reject('a/0', 'is odd')).toThrow(
      "Parameters of method 'do' failed validation with error '/a/0 :: is odd'",
    );
    expect(() => rejectAll([{ path: 'b', reason: 'is odd' }], 'a')).toThrow("with error '/a/b :: is odd'");
  });
});

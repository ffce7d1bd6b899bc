import { Controller, Module } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { currentCaller } from '@stratalog/concurrency';
import * as z from 'zod';
import { flag, integer, oneOf } from '../parameters/parameter-types';
import { bootWire } from '../testing/boot-wire';
import { COUNT, INT64, JSON_OBJECT, JSON_VALUE } from './answer-types';
import { defineRoute } from './define-route';
import { Route } from './route.decorators';
import type { Output, Sent } from './route-types';

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

  it('a route that is an action has them in its body', () => {
    const {
      method,
      writes,
      docs: described,
    } = defineRoute({ app: 'query', path: 'things', action: 'do', parameters, docs });
    expect([method, writes, described?.parameters]).toEqual(['POST', true, []]);
    expect(described?.body).toMatchObject({ type: 'object', required: ['urn', 'types'] });
  });

  it('describes its answer by the schema of the answer', () => {
    const state = z.enum(['open', 'closed']);
    const shop = z.object({ opened: INT64.describe('Epoch milliseconds.'), state: state.optional() });
    const schema = z.object({
      total: COUNT.describe('Number of all shops.'),
      shops: z.array(shop),
      byName: z.record(z.string(), shop.catchall(JSON_VALUE)),
      found: z.union([z.string(), JSON_OBJECT]).optional(),
    });
    const route = defineRoute({
      app: 'query',
      path: 'shops',
      docs: { ...docs, answer: { description: 'The shops.', schema, contentTypes: ['application/json'] } },
    });
    const members = {
      opened: { type: 'integer', format: 'int64', description: 'Epoch milliseconds.' },
      state: { type: 'string', enum: ['open', 'closed'] },
    };
    const described = { type: 'object', properties: members, required: ['opened'] };
    expect(route.docs?.answer).toEqual({
      description: 'The shops.',
      contentTypes: ['application/json'],
      schema: {
        type: 'object',
        properties: {
          total: { type: 'integer', minimum: 0, description: 'Number of all shops.' },
          shops: { type: 'array', items: described },
          byName: { type: 'object', additionalProperties: { ...described, additionalProperties: {} } },
          found: { type: ['string', 'object'] },
        },
        required: ['total', 'shops', 'byName'],
      },
    });
  });

  it('has types for what its callers send and read', () => {
    const ALL = defineRoute({
      app: 'query',
      path: 'shops',
      parameters: z.object({
        count: integer().default(10),
        closed: flag().optional(),
        order: oneOf(['name', 'age'], () => ({ wanted: 'an order' })),
      }),
      docs: { ...docs, answer: { description: 'Names.', schema: z.object({ names: z.array(z.string()) }) } },
    });
    const sent: Sent<typeof ALL> = { order: 'age' };
    const answer: Output<typeof ALL> = { names: ['bakery'] };
    // @ts-expect-error -- no such order
    const wrong: Sent<typeof ALL> = { order: 'size' };
    const parsed = [sent, { ...sent, count: 3, closed: true }].map((each) =>
      ALL.parse?.({ sent: each, action: undefined, names: () => Object.keys(each) }),
    );
    expect(parsed).toEqual([
      { order: 'age', count: 10 },
      { order: 'age', count: 3, closed: true },
    ]);
    expect(answer.names).toHaveLength(1);
    expect(() => ALL.parse?.({ sent: wrong, action: undefined, names: () => [] })).toThrow('an order');
  });

  it('rejects nested values by their paths', () => {
    const { reject, rejectAll } = defineRoute({ app: 'query', path: 'things', action: 'do' });
    expect(() => reject('a/0', 'is odd')).toThrow(
      "Parameters of method 'do' failed validation with error '/a/0 :: is odd'",
    );
    expect(() => rejectAll([{ path: 'b', reason: 'is odd' }], 'a')).toThrow("with error '/a/b :: is odd'");
  });
});

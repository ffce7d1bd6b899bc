import { describe, expect, it } from '@jest/globals';
import type { DocumentedRoute } from './documented-routes';
import { listRoutes } from './route-list';

const ROUTE: DocumentedRoute = {
  method: 'GET',
  path: '/bread',
  app: 'query',
  writes: false,
  effect: 'reads',
  access: 'ordinary',
  otherPaths: [],
  docs: { group: 'Read', summary: 'Read bread', parameters: [], body: undefined, examples: [] },
};
const { digest } = listRoutes([ROUTE]);

describe('listRoutes', () => {
  it('keeps what tells one route from another, and the app that serves it', () => {
    expect(listRoutes([{ ...ROUTE, action: 'bake', isLong: true }]).routes).toEqual([
      { method: 'GET', path: '/bread', otherPaths: [], app: 'query', action: 'bake', isLong: true },
    ]);
  });

  it('gives the same definitions the same digest', () => {
    expect(listRoutes([{ ...ROUTE }]).digest).toBe(digest);
  });

  it.each<[string, readonly DocumentedRoute[]]>([
    ['list of calls', [ROUTE, { ...ROUTE, path: '/cake' }]],
    [
      'parameter',
      [
        {
          ...ROUTE,
          docs: { ...ROUTE.docs, parameters: [{ in: 'query', name: 'flour', description: '', schema: {} }] },
        },
      ],
    ],
  ])('gives another %s another digest', (_what, routes) => {
    expect(listRoutes(routes).digest).not.toBe(digest);
  });
});

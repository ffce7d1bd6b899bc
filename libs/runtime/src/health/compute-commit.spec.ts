import { describe, expect, it } from '@jest/globals';
import type { DocumentedRoute } from '@stratalog/http';
import { computeCommit } from './compute-commit';

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

describe('computeCommit', () => {
  it('names the same model and calls alike, as 40 hex digits', () => {
    const commit = computeCommit({ fingerprint: 'a' }, [ROUTE]);
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect(computeCommit({ fingerprint: 'a' }, [{ ...ROUTE }])).toBe(commit);
  });

  it.each<[string, string, readonly DocumentedRoute[]]>([
    ['model', 'b', [ROUTE]],
    ['list of calls', 'a', [ROUTE, { ...ROUTE, path: '/cake' }]],
    [
      'parameter',
      'a',
      [
        {
          ...ROUTE,
          docs: { ...ROUTE.docs, parameters: [{ in: 'query', name: 'flour', description: '', schema: {} }] },
        },
      ],
    ],
  ])('names another %s otherwise', (_what, fingerprint, routes) => {
    expect(computeCommit({ fingerprint }, routes)).not.toBe(computeCommit({ fingerprint: 'a' }, [ROUTE]));
  });
});

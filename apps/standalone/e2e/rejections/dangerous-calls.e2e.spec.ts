import { beforeAll, describe, expect, it } from '@jest/globals';
import { API_ROUTES, pathText } from '@stratalog/api-docs';
import { toRequest } from '../testing/browser/documented-call';
import { at } from '../testing/catalog/catalog-client';
import { addExampleTokens } from '../testing/catalog/example-tokens';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { expectRejection, post } from '../testing/catalog/wire-case';

const DANGEROUS = API_ROUTES.filter(
  ({ access, effect }) => access === 'administrative' || effect === 'destroys',
);
const CASES = DANGEROUS.flatMap((route) => {
  const [example] = route.docs.examples;
  return example === undefined ? [] : [[`${route.method} ${pathText(route)}`, route, example] as const];
});

describe('an administrative call, or one that deletes', () => {
  // Examples of administrative calls carry no token.
  const catalog = catalogForSuite({ environment: { STRATALOG_AUTH: 'none' } });
  beforeAll(() => addExampleTokens(catalog.deps));

  const unfinished = async (): Promise<unknown> => catalog.deps.tasks.countUnfinished();

  it.each(CASES)(
    '%s is rejected with an unknown name, and changes nothing',
    async (_call, route, example) => {
      const { body } = example;
      const members = body === undefined || Array.isArray(body) ? [] : Object.entries(body);
      const isBody = body !== undefined && !Array.isArray(body) && route.docs.body !== undefined;
      const named = { ...example, body: Object.fromEntries([...members, ['zzzzzz', ['x']]]) };
      const sent = toRequest(route, isBody ? named : example);
      const target = isBody ? sent.target : `${sent.target}${sent.target.includes('?') ? '&' : '?'}zzzzzz=x`;
      const before = [await catalog.deps.store.readPartitionSequences(), await unfinished()];
      const answer = await catalog.http.send({ ...sent, target });
      expectRejection(answer, 422, 'An administrative or deleting call may not have unknown names: ');
      expect(at(answer.json, 'message')).toContain('zzzzzz is unknown');
      expect([await catalog.deps.store.readPartitionSequences(), await unfinished()]).toEqual(before);
    },
  );

  it('names the near name, and that of a dry run too', async () => {
    const answer = await catalog.http.send(post('/runs?action=rollback', '{"runId":"r","dryrum":true}'));
    expectRejection(answer, 422, '/dryrum is unknown; did you mean dryRun?');
  });

  it('rebuilds nothing when the member for the index is misspelt', async () => {
    const answer = await catalog.http.send(
      post('/operations?action=rebuildIndices', '{"indices":["search"]}'),
    );
    expectRejection(answer, 422, '/indices is unknown; known here: index');
    expect(await unfinished()).toEqual([]);
  });

  it('covers every such route', () => {
    expect(CASES).toHaveLength(DANGEROUS.length);
    expect(CASES.length).toBeGreaterThan(30);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rejection, ScriptedCatalog } from '../../testing/scripted-catalog';

describe('rebuild', () => {
  let catalog: ScriptedCatalog;
  const asked: string[] = [];

  /** Answers queries about each index with these states in turn, then repeats the last one. */
  const scripted = (states: Readonly<Record<string, readonly object[]>>): void => {
    const left = new Map(Object.entries(states).map(([index, own]) => [index, [...own]]));
    catalog.reply = (request, body) => {
      const { index } = JSON.parse(body) as { index: string };
      asked.push(`${request.url ?? ''} ${index} ${request.headers.authorization ?? ''}`);
      const own = left.get(index) ?? [];
      const value = own.length > 1 ? own.shift() : own[0];
      return { status: 200, body: { value: { index, ...value } } };
    };
  };

  beforeEach(async () => {
    asked.length = 0;
    catalog = await ScriptedCatalog.start();
  });
  afterEach(async () => {
    await catalog.stop();
  });

  it('requests both with the token, and returns when new versions are live', async () => {
    scripted({
      search: [
        { state: 'rebuilding', live: 's1' },
        { state: 'rebuilding', live: 's1', building: 's2', done: 200, total: 900 },
        { state: 'live', live: 's2' },
      ],
      graph: [
        { state: 'rebuilding', live: 'g1' },
        { state: 'live', live: 'g2' },
      ],
    });
    const { exit, out } = await catalog.run(['rebuild', '--token', 'a-secret']);
    expect([exit, out]).toEqual([0, 'search: rebuilt, now in s2\ngraph: rebuilt, now in g2\n']);
    expect(asked).toEqual([
      '/operations?action=rebuildIndex search Bearer a-secret',
      '/operations?action=rebuildIndex graph Bearer a-secret',
      '/operations?action=describeIndex search Bearer a-secret',
      '/operations?action=describeIndex search Bearer a-secret',
      '/operations?action=describeIndex graph Bearer a-secret',
    ]);
  });

  it('waits for the first index as well', async () => {
    scripted({ graph: [{ state: 'building' }, { state: 'live', live: 'g1' }] });
    const { exit, out } = await catalog.run(['rebuild', 'graph']);
    expect([exit, out]).toEqual([0, 'graph: rebuilt, now in g1\n']);
  });

  it('reports the rebuild under way, and returns', async () => {
    scripted({ search: [{ state: 'rebuilding', live: 's1', building: 's2', done: 200, total: 900 }] });
    const { exit, out } = await catalog.run(['rebuild', 'search', '--no-wait']);
    expect([exit, out]).toEqual([0, 'search: rebuilding, 200 of 900 entities\n']);
  });

  it('prints the states as JSON', async () => {
    scripted({
      search: [
        { state: 'rebuilding', live: 's1' },
        { state: 'live', live: 's2' },
      ],
    });
    const rebuilt = await catalog.run(['rebuild', 'search', '--json']);
    expect([rebuilt.exit, JSON.parse(rebuilt.out)]).toEqual([0, { search: { state: 'live', live: 's2' } }]);
    scripted({ graph: [{ state: 'building', done: 2, total: 9 }] });
    const { out } = await catalog.run(['rebuild', 'graph', '--no-wait', '--json']);
    expect(JSON.parse(out)).toEqual({ graph: { state: 'building', done: 2, total: 9 } });
  });

  it('reports a rejection and an unknown index', async () => {
    catalog.reply = () => rejection(401, 'This call needs a token');
    expect(await catalog.run(['rebuild'])).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/wants a token \(This call needs a token\): give one with --token/),
    });
    expect((await catalog.run(['rebuild', 'lineage'])).exit).toBe(2);
  });

  it('lets the catalog continue when interrupted', async () => {
    scripted({ search: [{ state: 'rebuilding', live: 's1' }] });
    const interrupt = new AbortController();
    interrupt.abort();
    expect(await catalog.run(['rebuild', 'search'], { interrupted: interrupt.signal })).toMatchObject({
      exit: 130,
      err: 'interrupted; the catalog goes on building\n',
    });
  });
});

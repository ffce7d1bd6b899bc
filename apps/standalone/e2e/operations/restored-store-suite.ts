import { describe, expect, it } from '@jest/globals';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import type { OperatorCalls } from './operator-calls';

/** The call by which an operator says that the store was put back to an older state. */
export function restoredStoreSuite({ catalog, ask }: OperatorCalls): void {
  describe('declareRestored', () => {
    const urn = 'urn:li:tag:declared-restored';
    const liveNames = async (): Promise<readonly (string | undefined)[]> => {
      const { searchIndexes, graphIndexes } = catalog.deps;
      return Promise.all(
        [searchIndexes, graphIndexes].map(async (indexes) => (await indexes.state()).live?.name),
      );
    };

    it('needs the token of the operator', async () => {
      expect((await ask('declareRestored', {}, {})).status).toBe(401);
    });

    it('rejects former positions, and builds the indices again while they answer', async () => {
      const { epoch } = catalog.deps.store.identity;
      const former = await catalog.http.write(urn, 'tagProperties', { name: 'formerepoch' });
      const inTags = { entity: 'tag' };
      const found = { total: 1, urns: [urn] };
      expect(await catalog.http.find('formerepoch', { ...inTags, waitFor: former })).toEqual(found);
      const before = await liveNames();
      expect(at((await ask('declareRestored', {})).json, 'value')).toEqual({
        epoch: epoch + 1,
        formerEpoch: epoch,
      });
      const body = '{"entity":"tag","input":"formerepoch","start":0,"count":1}';
      const rejected = await catalog.http.post('/entities?action=search', body, {
        'x-stratalog-wait-for': former,
      });
      expect([rejected.status, at(rejected.json, 'message')]).toEqual([
        400,
        expect.stringContaining('of another store'),
      ]);
      await until(async () => {
        expect(await catalog.http.find('formerepoch', inTags)).toEqual(found);
        return (await liveNames()).every((name) => name !== undefined && !before.includes(name));
      });
      const waitFor = await catalog.http.write(urn, 'tagProperties', { name: 'laterepoch' });
      expect(await catalog.http.find('laterepoch', { ...inTags, waitFor })).toEqual(found);
    });
  });
}

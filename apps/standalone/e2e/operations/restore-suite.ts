import { beforeAll, describe, expect, it } from '@jest/globals';
import { distance } from '@stratalog/domain';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { ACTOR, WITH_TOKEN, type OperatorCalls } from './operator-calls';

/** Restating the aspects of entities. */
export function restoreSuite({ catalog, ask, get }: OperatorCalls): void {
  describe('restoreIndices', () => {
    const NAMES = ['one', 'two', 'three'].map((name) => `urn:li:dataPlatform:restored-${name}`);
    const TIME = String.raw`\d+`;

    beforeAll(async () => {
      for (const urn of NAMES) {
        await catalog.http.write(urn, 'dataPlatformInfo', {
          name: urn,
          type: 'OTHERS',
          datasetNameDelimiter: '.',
        });
      }
    });

    /** The numbers of restated and ignored aspects, and of the changes that the call made. */
    const restore = async (body: JsonOutputObject, path = '/operations'): Promise<readonly unknown[]> => {
      const before = await catalog.deps.store.readPartitionSequences();
      const answer = await catalog.http.post(
        `${path}?action=restoreIndices`,
        stringifyJson(body),
        WITH_TOKEN,
      );
      const text = (at(answer.json, 'value') as string | undefined) ?? '';
      const changes = distance(before, await catalog.deps.store.readPartitionSequences());
      const numbers = [...text.matchAll(/ignored=(\d+), rowsMigrated=(\d+)/g)];
      return [
        answer.status,
        ...numbers.map(([, ignored, rows]) => `${rows ?? ''}/${ignored ?? ''}`),
        changes,
      ];
    };

    it('restates the aspects of an entity, in the words of the reference', async () => {
      const [urn = ''] = NAMES;
      const { status, json } = await ask('restoreIndices', { urn, aspect: 'dataPlatformInfo' });
      const args =
        `args=RestoreIndicesArgs\\(start=0, batchSize=10, limit=0, numThreads=1, batchDelayMs=1, gePitEpochMs=0, lePitEpochMs=${TIME}, ` +
        `aspectName=dataPlatformInfo, urn=${urn}, urnLike=null, urnBasedPagination=false, lastUrn=, lastAspect=\\)`;
      const result =
        `result=RestoreIndicesResult\\(ignored=0, rowsMigrated=1, timeSqlQueryMs=${TIME}, timeGetRowMs=0, timeUrnMs=0, ` +
        `timeEntityRegistryCheckMs=0, aspectCheckMs=0, createRecordMs=0, sendMessageMs=${TIME}, defaultAspectsCreated=0, ` +
        `lastUrn=${urn}, lastAspect=dataPlatformInfo\\)`;
      expect([status, at(json, 'value')]).toEqual([
        200,
        expect.stringMatching(new RegExp(`^\\{${args}, ${result}\\}$`)),
      ]);
    });

    it('restates a selection in a task, which counts what it did', async () => {
      const start = async (body: JsonOutputObject) => {
        const answer = await ask('startRestore', body);
        return { ...answer, task: at(answer.json, 'value', 'task') as string };
      };
      const before = await catalog.deps.store.readPartitionSequences();
      const started = await start({ urnLike: 'urn:dataPlatform:restored-%', aspect: 'dataPlatformInfo' });
      expect([started.status, at(started.json, 'value')]).toEqual([
        200,
        expect.objectContaining({
          kind: 'restore-indices',
          requestedBy: ACTOR,
          parameters: {
            urn: null,
            aspect: 'dataPlatformInfo',
            urnLike: 'urn:li:dataPlatform:restored-%',
            gePitEpochMs: 0,
            lePitEpochMs: expect.any(Number),
          },
        }),
      ]);
      const read = async () => (await get(`/${started.task}`)).json;
      await until(async () => at(await read(), 'state') === 'completed');
      expect(await read()).toMatchObject({
        progress: { done: 3 },
        outcome: { restated: 3, ignored: 0 },
      });
      expect(distance(before, await catalog.deps.store.readPartitionSequences())).toBeGreaterThanOrEqual(3);
      expect((await start({ urn: 'nonsense', aspect: 'status' })).status).toBe(400);
      expect((await start({ aspect: 'dataPlatformInfos' })).status).toBe(400);
      expect((await start({ urnLike: 'urn:li:tag:\\' })).status).toBe(400);
    });

    it('makes one change for each aspect, and no version', async () => {
      const [urn = ''] = NAMES;
      const aspects = Object.keys(at((await catalog.http.entity(urn)).json, 'aspects') ?? {}).length;
      expect(await restore({ urn })).toEqual([200, `${String(aspects)}/0`, aspects]);
      const versions = await catalog.http.get(
        `/aspects/${encodeURIComponent(urn)}?aspect=dataPlatformInfo&startVersion=1`,
      );
      expect(at(versions.json, 'versions')).toHaveLength(1);
    });

    it.each([
      [{ urnLike: 'urn:li:dataPlatform:restored-%', aspect: 'dataPlatformInfo' }, [200, '3/0', 3]],
      [{ urnLike: 'urn:dataPlatform:restored-%', aspect: 'dataPlatformInfo' }, [200, '3/0', 3]],
      [
        { urnLike: 'urn:li:dataPlatform:restored-%', aspect: 'dataPlatformInfo', start: 1, batchSize: 1 },
        [200, '1/0', 1],
      ],
      [
        { urnLike: 'urn:li:dataPlatform:restored-%', aspect: 'dataPlatformInfo', batchSize: 2, limit: 0 },
        [200, '2/0', '1/0', 3],
      ],
      [
        { urnLike: 'urn:li:dataPlatform:restored-%', aspect: 'dataPlatformInfo', batchSize: 1, limit: 2 },
        [200, '1/0', '1/0', 2],
      ],
      [{ urnLike: 'urn:li:dataPlatform:restored-%', gePitEpochMs: 4_000_000_000_000 }, [200, '0/0', 0]],
      [{ urnLike: 'urn:li:dataPlatform:restored-%', lePitEpochMs: 1 }, [200, '0/0', 0]],
      [{ urnLike: 'urn:li:chart:%' }, [200, '0/0', 0]],
    ])('selects by %j', async (body, expected) => {
      expect(await restore(body)).toEqual(expected);
      expect(await restore(body, '/gms/aspects')).toEqual(expected);
    });

    it.each([
      { urn: 'none' },
      { urn: 'urn:li:tags:x' },
      { urnLike: 'a\\' },
      { batchSize: 0 },
      { start: -1 },
      { aspect: 'none' },
    ])('rejects %j, and restates nothing', async (body) => {
      expect(await restore(body)).toEqual([400, 0]);
    });
  });
}

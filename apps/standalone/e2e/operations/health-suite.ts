import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { WITH_TOKEN, type OperatorCalls } from './operator-calls';

interface Lag {
  readonly stage: string;
  readonly partition: number;
  readonly handled: number;
  readonly end: number;
  readonly records: number;
  readonly seconds: number;
}

/** How far the stages are, and what the catalog did. */
export function healthSuite({ catalog }: OperatorCalls): void {
  describe('the work of the catalog', () => {
    const lags = async (): Promise<readonly Lag[]> =>
      at((await catalog.http.get('/operations/health', WITH_TOKEN)).json, 'lags') as unknown as Lag[];

    it('has the lag of each stage in each partition', async () => {
      await until(async () => (await lags()).length > 0);
      const end = await catalog.deps.store.readPartitionSequences();
      await until(async () =>
        (await lags()).every(
          ({ stage, partition, handled }) => stage === 'writer' || handled >= (end.get(partition) ?? 0),
        ),
      );
      const found = await lags();
      const partitionsOf = (stage: string) =>
        new Set(found.flatMap((lag) => (lag.stage === stage ? [lag.partition] : [])));
      const written = [...end].flatMap(([partition, seq]) => (seq > 0 ? [partition] : []));
      expect(written.length).toBeGreaterThan(0);
      for (const stage of ['writer', 'indexer', 'graph'])
        expect(written.filter((partition) => !partitionsOf(stage).has(partition))).toEqual([]);
      for (const { records, handled, end: last, seconds } of found) {
        expect(records).toBe(Math.max(0, last - handled));
        expect(seconds).toBeGreaterThanOrEqual(0);
      }
    });

    it('tells the lag of consumers to OpenAPI clients, with its partitions on demand', async () => {
      const ask = (path: string, headers: Record<string, string> = WITH_TOKEN) =>
        catalog.http.get(`/openapi/operations/${path}`, headers);
      await until(async () => (await lags()).length > 0);
      const answer = await ask('messaging/mcl/consumer/lag?skipCache=true&detailed=true');
      expect(at(answer.json, 'transport')).toMatch(/^(?:kafka|postgres)$/);
      const groups = at(answer.json, 'consumerGroups') as Readonly<Record<string, JsonValue>>;
      expect(Object.keys(groups)).toEqual(expect.arrayContaining(['indexer', 'graph']));
      expect(Object.keys(groups)).not.toContain('writer');
      const partitions = at(groups.indexer, 'changes', 'partitions') as Readonly<Record<string, JsonObject>>;
      expect(Object.values(partitions).length).toBeGreaterThan(0);
      for (const each of Object.values(partitions))
        expect(each).toEqual({ offset: expect.any(Number), lag: expect.any(Number) });
      const metrics = {
        avgLag: expect.any(Number),
        maxLag: expect.any(Number),
        totalLag: expect.any(Number),
      };
      const writer = { proposals: { metrics, partitions: null } };
      expect((await ask('messaging/mcp/consumer/lag')).json).toMatchObject({ consumerGroups: { writer } });
      expect((await ask('kafka/mcp/consumer/offsets')).json).toEqual({ writer });
      expect(at((await ask('messaging/mcl-timeseries/consumer/lag')).json, 'consumerGroups')).toEqual({});
      expect((await ask('messaging/mcx/consumer/lag')).status).toBe(404);
      expect((await ask('messaging/mcp/consumer/lag', {})).status).toBe(401);
    });

    it('has a history of writes, requests and lag', async () => {
      const read = async () => (await catalog.http.get('/operations/health/history', WITH_TOKEN)).json;
      interface Sample {
        readonly proposalsPerSecond?: number;
      }
      const samples = async () => at(await read(), 'samples') as unknown as readonly Sample[];
      // Writes until an interval has some of them.
      await until(async () => {
        await catalog.http.write('urn:li:tag:busy', 'tagProperties', { name: String(Math.random()) });
        return (await samples()).some(({ proposalsPerSecond = 0 }) => proposalsPerSecond > 0);
      });
      expect(await read()).toMatchObject({ intervalSeconds: 10 });
      const last = (await samples()).findLast(({ proposalsPerSecond = 0 }) => proposalsPerSecond > 0);
      expect(last).toEqual({
        time: expect.any(Number),
        proposalsPerSecond: expect.any(Number),
        requestsPerSecond: expect.any(Number),
        p50Millis: expect.any(Number),
        p95Millis: expect.any(Number),
        lag: expect.objectContaining({
          writer: expect.any(Number),
          indexer: expect.any(Number),
          graph: expect.any(Number),
        }),
      });
      expect((await catalog.http.get('/operations/health/history')).status).toBe(401);
    });
  });
}

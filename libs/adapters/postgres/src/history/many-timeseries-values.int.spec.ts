import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Notifier } from '@stratalog/concurrency';
import type { ChangePlace } from '@stratalog/ports';
import { datasetUrn, plainBatch, toRange } from '@stratalog/testkit';
import { useSuiteDatabase } from '../testing/suite-database';
import { PostgresAspectHistory } from './aspect-history';
import { PostgresAspectStore } from '../aspect-store/aspect-store';

const URN = datasetUrn('busy');
const VALUES = 45_000;

describe('The changes of a catalog with many timeseries values', () => {
  const suite = useSuiteDatabase();
  let history: PostgresAspectHistory;

  beforeAll(() => {
    history = new PostgresAspectHistory(suite.database);
  });
  beforeEach(async () => {
    await suite.database.use((client) =>
      client.query('truncate change, entity, aspect_latest, store_partition, log_partition'),
    );
    const clock = { now: () => 1_000 };
    const store = await PostgresAspectStore.open(suite.database, {
      clock,
      partitions: 1,
      changes: new Notifier(),
    });
    await store.commit(
      plainBatch([toRange(URN, 1, 0)], [{ urn: URN, aspectName: 'status', value: '{"removed":false}' }]),
    );
    await suite.database.use(async (client) => {
      await client.query(
        `insert into change (partition, seq, urn, aspect, version, system_metadata, created_ms, actor, kind)
         select 0, 1 + n, $1, 'operation', n, '{}', 1000 + n, 'urn:li:corpuser:tester', 'timeseries'
           from generate_series(1, $2::integer) n`,
        [URN, VALUES],
      );
      await client.query('update store_partition set seq = seq + $1 where partition = 0', [VALUES]);
    });
  });

  it('a page reads a part of them, and the next one goes on after it', async () => {
    const found: string[] = [];
    let from: ChangePlace | undefined;
    let pages = 0;
    do {
      const page = await history.listCatalogChanges({ limit: 5, ...(from !== undefined && { from }) });
      found.push(...page.changes.map(({ aspectName }) => aspectName));
      from = page.next;
      pages += 1;
    } while (from !== undefined);
    expect([found, pages]).toEqual([['status'], 3]);
  });

  it('no page goes on before the requested time', async () => {
    expect(await history.listCatalogChanges({ limit: 5, sinceMs: 1_000 + VALUES })).toEqual({ changes: [] });
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { QueryNode } from '@stratalog/domain';
import type { SearchIndexVersions } from '@stratalog/ports';
import { indexVersionsOver, until } from '@stratalog/testkit';
import { PostgresSearchIndexVersionStore } from './search-index-version-store';
import { TokenUpkeep } from './token-upkeep';
import { useSuiteDatabase } from '../testing/suite-database';

const IDENTITY = { storeId: 'a'.repeat(32), epoch: 1, mapping: 'm' };

describe('TokenUpkeep', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  let table: string;
  let versions: SearchIndexVersions;

  beforeEach(async () => {
    versions = indexVersionsOver(new PostgresSearchIndexVersionStore(suite.database));
    table = (await versions.create(IDENTITY)).name;
    await suite.database.use((client) => client.query(`delete from ${table}`));
    await emptyPendingList();
    await writeRows(40);
  });

  /** Inserts without the adapter, so that only the tested upkeep moves the tokens. */
  const writeRows = (count: number, prefix = ''): Promise<unknown> =>
    suite.database.use((client) =>
      client.query(
        `insert into ${table} (urn, entity_type, seq, removed, deleted, weight, facet_ids, folder_ids, name_starts, names, body, tokens)
         select 'urn:' || $2 || n, 'dataset', 1, false, false, 1, '', '', 0, '', '{}',
                to_tsvector('simple', 'word' || n || ' a b c d e f g h i j k l m n o p q r shared')
           from generate_series(1, $1::integer) n`,
        [count, prefix],
      ),
    );

  /** Empties the pending list and returns its former number of pages. */
  const emptyPendingList = async (): Promise<number> => {
    const { rows } = await suite.database.use((client) =>
      client.query<{ pages: number }>('select gin_clean_pending_list($1::regclass) as pages', [
        `${table}_tokens`,
      ]),
    );
    return rows[0]?.pages ?? Number.NaN;
  };

  it('is needed: written tokens stay in the pending list', async () => {
    expect(await emptyPendingList()).toBeGreaterThan(0);
  });

  it('moves tokens once enough documents are pending', async () => {
    const upkeep = new TokenUpkeep(suite.database, `${table}_tokens`);
    await upkeep.wrote(500);
    await upkeep.settled();
    expect(await emptyPendingList()).toBe(0);
  });

  it('leaves a few documents pending', async () => {
    const upkeep = new TokenUpkeep(suite.database, `${table}_tokens`);
    await upkeep.wrote(40);
    await upkeep.settled();
    expect(await emptyPendingList()).toBeGreaterThan(0);
  });

  it('knows from which transaction on tokens may be moving', async () => {
    const upkeep = new TokenUpkeep(suite.database, `${table}_tokens`);
    expect(upkeep.movedBefore).toBeUndefined();
    const countOlder = async (): Promise<number> => {
      const { rows } = await suite.database.use((client) =>
        client.query<{ n: number }>(
          `select count(*)::integer as n from ${table} where age(xmin) > age($1::xid)`,
          [upkeep.movedBefore],
        ),
      );
      return rows[0]?.n ?? Number.NaN;
    };
    // Transactions of others, which began before, hold the mark back for as long as they run.
    await until(async () => {
      await upkeep.wrote(500);
      await upkeep.settled();
      return (await countOlder()) === 40;
    });
    await writeRows(30, 'later');
    expect(await countOlder()).toBe(40);
  });

  it('lets no document through that a search excludes, while its tokens are moving', async () => {
    const index = await versions.create(IDENTITY);
    const found = async (): Promise<number> => {
      const query: QueryNode = { kind: 'not', node: { kind: 'word', anyOf: ['shared'] } };
      const { total } = await index.search({
        entityTypes: ['dataset'],
        query,
        start: 0,
        count: 0,
        facets: [],
        facetLimit: 1,
      });
      return total;
    };
    const totals = new Set<number>();
    for (let round = 0; round < 40; round++) {
      await writeRows(400, `round${String(round)}-`);
      const moving = { isOver: false };
      const search = async (): Promise<void> => {
        while (!moving.isOver) totals.add(await found());
      };
      const move = emptyPendingList().finally(() => {
        moving.isOver = true;
      });
      await Promise.all([move, search(), search(), search()]);
    }
    expect([...totals]).toEqual([0]);
  });

  it('does not fail the write when moving fails', async () => {
    const upkeep = new TokenUpkeep(suite.database, 'no_such_index');
    await upkeep.wrote(5_000);
    await upkeep.settled();
    expect(await emptyPendingList()).toBeGreaterThan(0);
  });
});

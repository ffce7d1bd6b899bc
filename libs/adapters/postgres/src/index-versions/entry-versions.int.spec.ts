import { afterEach, describe } from '@jest/globals';
import { Notifier, systemClock } from '@stratalog/ports';
import { collectEdges, entryVersionsContract, indexVersionsOver, projectDocument } from '@stratalog/testkit';
import { PostgresAspectStore } from '../aspect-store/aspect-store';
import { Database } from '../database/database';
import { createScratchDatabase, type ScratchDatabase } from '../database/scratch-database';
import { PostgresGraphIndexVersionStore } from '../graph/graph-index-version-store';
import { PostgresSearchIndexVersionStore } from '../search/search-index-version-store';

describe('the versions of entries in PostgreSQL', () => {
  let scratch: ScratchDatabase;
  let database: Database;

  const openStore = async (): Promise<PostgresAspectStore> => {
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    database = await Database.open({ url: scratch.url, poolSize: 4 });
    const options = { clock: systemClock, partitions: 4, changes: new Notifier() };
    return PostgresAspectStore.open(database, options);
  };
  afterEach(async () => {
    await database.close();
    await scratch.drop();
  });

  describe('the search index', () => {
    entryVersionsContract(
      async () => {
        const store = await openStore();
        const versions = indexVersionsOver(new PostgresSearchIndexVersionStore(database));
        return { store, index: await versions.create({ ...store.identity, mapping: 'm' }) };
      },
      ['aspect', 'timeseries value', 'referenced entity', 'deletion'],
      ({ urn, seq }, name) => projectDocument(urn, seq, { name }),
    );
  });

  describe('the relationship graph', () => {
    entryVersionsContract(
      async () => {
        const store = await openStore();
        const versions = indexVersionsOver(new PostgresGraphIndexVersionStore(database));
        return { store, index: await versions.create({ ...store.identity, mapping: 'm' }) };
      },
      ['aspect', 'deletion'],
      ({ urn, seq }, texts) =>
        collectEdges(urn, seq, { globalTags: texts.map((text) => `TaggedWith urn:li:tag:${text}`) }),
    );
  });
});

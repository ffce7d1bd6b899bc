import { afterEach, describe } from '@jest/globals';
import { Notifier, systemClock } from '@stratalog/concurrency';
import {
  collectEdges,
  entryVersionsContract,
  indexVersionsOver,
  projectDocument,
  rebuildContract,
} from '@stratalog/testkit';
import { PostgresAspectStore } from '../aspect-store/aspect-store';
import { PostgresChangeLog } from '../change-log/change-log';
import { Database } from '../database/database';
import { createScratchDatabase, type ScratchDatabase } from '../database/scratch-database';
import { PostgresGraphIndexVersionStore } from '../graph/graph-index-version-store';
import { PostgresSearchIndexVersionStore } from '../search/search-index-version-store';

const TAG = 'urn:li:tag:all';

describe('indices in PostgreSQL that several processes write', () => {
  let scratch: ScratchDatabase;
  let database: Database;

  const openStore = async (changes = new Notifier()): Promise<PostgresAspectStore> => {
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    database = await Database.open({ url: scratch.url, poolSize: 8 });
    const options = { clock: systemClock, partitions: 4, changes };
    return PostgresAspectStore.open(database, options);
  };
  afterEach(async () => {
    await database.close();
    await scratch.drop();
  });

  const openChanges = async () => {
    const changes = new Notifier();
    const store = await openStore(changes);
    return { store, changes: new PostgresChangeLog(database, store.identity.partitions, changes) };
  };

  describe('the search index', () => {
    rebuildContract(
      async () => ({
        ...(await openChanges()),
        openVersions: () => new PostgresSearchIndexVersionStore(database),
      }),
      ({ urn, seq }) => projectDocument(urn, seq, { name: ['all'] }),
      async (index) => {
        const all = { query: { kind: 'all' }, start: 0, count: 1, facets: [], facetLimit: 0 } as const;
        return (await index.search({ ...all, entityTypes: ['dataset'] })).position;
      },
    );

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
    rebuildContract(
      async () => ({
        ...(await openChanges()),
        openVersions: () => new PostgresGraphIndexVersionStore(database),
      }),
      ({ urn, seq }) => collectEdges(urn, seq, { globalTags: [`TaggedWith ${TAG}`] }),
      async (index) => {
        const page = { start: 0, count: 1 };
        return (
          await index.related({ urn: TAG, relationships: ['TaggedWith'], direction: 'INCOMING', ...page })
        ).position;
      },
    );

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

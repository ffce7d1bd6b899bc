import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import {
  Database,
  PostgresAspectStore,
  PostgresChangeLog,
  createScratchDatabase,
  type ScratchDatabase,
} from '@stratalog/adapters-postgres';
import { Notifier, systemClock } from '@stratalog/concurrency';
import {
  entryVersionsContract,
  indexVersionsOver,
  projectDocument,
  rebuildContract,
} from '@stratalog/testkit';
import { openSearchEngine } from '../engine/open-search-engine';
import type { SearchEngine } from '../engine/search-engine';
import { ENGINES, removeIndices, scratchPrefix } from '../engine/test-engines';
import { ElasticsearchSearchIndexVersionStore } from '../search/search-index-version-store';

describe.each(ENGINES)('the search index on $name that several processes write', ({ url }) => {
  const indexPrefix = scratchPrefix();
  let engine: SearchEngine;
  let scratch: ScratchDatabase;
  let database: Database;

  beforeAll(async () => {
    engine = await openSearchEngine({ url, indexPrefix });
  });
  afterEach(async () => {
    await removeIndices(engine);
    await database.close();
    await scratch.drop();
  });
  afterAll(async () => {
    await engine.close();
  });

  const openStore = async () => {
    await (await openSearchEngine({ url, indexPrefix })).close();
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    database = await Database.open({ url: scratch.url, poolSize: 8 });
    const changes = new Notifier();
    const store = await PostgresAspectStore.open(database, { clock: systemClock, partitions: 4, changes });
    return { store, changes: new PostgresChangeLog(database, store.identity.partitions, changes) };
  };

  rebuildContract(
    async () => ({
      ...(await openStore()),
      openVersions: () => new ElasticsearchSearchIndexVersionStore(engine),
    }),
    ({ urn, seq }) => projectDocument(urn, seq, { name: ['all'] }),
    async (index) => {
      const all = { query: { kind: 'all' }, start: 0, count: 1, facets: [], facetLimit: 0 } as const;
      return (await index.search({ ...all, entityTypes: ['dataset'] })).position;
    },
  );

  entryVersionsContract(
    async () => {
      const { store } = await openStore();
      const versions = indexVersionsOver(new ElasticsearchSearchIndexVersionStore(engine));
      return { store, index: await versions.create({ ...store.identity, mapping: 'm' }) };
    },
    ['aspect', 'timeseries value', 'referenced entity', 'deletion'],
    ({ urn, seq }, name) => projectDocument(urn, seq, { name }),
  );
});

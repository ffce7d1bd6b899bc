import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import {
  Database,
  PostgresAspectStore,
  createScratchDatabase,
  type ScratchDatabase,
} from '@stratalog/adapters-postgres';
import { Notifier, systemClock } from '@stratalog/ports';
import { entryVersionsContract, indexVersionsOver, projectDocument } from '@stratalog/testkit';
import { openSearchEngine } from '../engine/open-search-engine';
import type { SearchEngine } from '../engine/search-engine';
import { ENGINES, removeIndices, scratchPrefix } from '../engine/test-engines';
import { ElasticsearchSearchIndexVersionStore } from './search-index-version-store';

describe.each(ENGINES)('the versions of entries on $name', ({ url }) => {
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

  entryVersionsContract(
    async () => {
      await (await openSearchEngine({ url, indexPrefix })).close();
      scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
      database = await Database.open({ url: scratch.url, poolSize: 4 });
      const options = { clock: systemClock, partitions: 4, changes: new Notifier() };
      const store = await PostgresAspectStore.open(database, options);
      const versions = indexVersionsOver(new ElasticsearchSearchIndexVersionStore(engine));
      return { store, index: await versions.create({ ...store.identity, mapping: 'm' }) };
    },
    ['aspect', 'timeseries value', 'referenced entity', 'deletion'],
    ({ urn, seq }, name) => projectDocument(urn, seq, { name }),
  );
});

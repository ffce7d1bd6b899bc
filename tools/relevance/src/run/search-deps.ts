import { randomBytes } from 'node:crypto';
import { ElasticsearchSearchIndexVersionStore, openSearchEngine } from '@stratalog/adapters-elasticsearch';
import {
  Database,
  PostgresAspectStore,
  PostgresSearchIndexVersionStore,
  createScratchDatabase,
} from '@stratalog/adapters-postgres';
import { StoredIndexVersions } from '@stratalog/indexing';
import { systemClock, Notifier } from '@stratalog/concurrency';
import type { IndexVersionStore, SearchIndex } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { DisplayNames, Vocabularies, readSynonyms, type SearchDeps } from '@stratalog/stages-query';

/** Addresses of the servers that a run uses. */
export interface ServerUrls {
  readonly databaseUrl: string;
  /** Absent: the index lies in PostgreSQL. */
  readonly engineUrl?: string;
}

/** The dependencies of a search, over an index and a store of its own. */
export interface OpenedSearch {
  readonly deps: SearchDeps;
  /** Removes everything that the run wrote. */
  readonly close: () => Promise<void>;
}

/** Opens the store in a new database, and the versions of the search index there or in an engine. */
export async function openSearch(registry: EntityRegistry, urls: ServerUrls): Promise<OpenedSearch> {
  const opened: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of opened.reverse()) await end();
  };
  try {
    const scratch = await createScratchDatabase(urls.databaseUrl);
    opened.push(() => scratch.drop());
    const database = await Database.open({ url: scratch.url, poolSize: 4 });
    opened.push(() => database.close());
    const changes = new Notifier();
    const store = await PostgresAspectStore.open(database, { clock: systemClock, partitions: 1, changes });
    const { versions, remove } = await openVersions(database, urls);
    opened.push(remove);
    return {
      deps: {
        registry,
        store,
        searchIndexes: new StoredIndexVersions(versions, systemClock),
        vocabularies: new Vocabularies(),
        displayNames: new DisplayNames(),
        synonyms: readSynonyms(undefined),
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface OpenedVersions {
  readonly versions: IndexVersionStore<SearchIndex>;
  readonly remove: () => Promise<void>;
}

async function openVersions(database: Database, { engineUrl }: ServerUrls): Promise<OpenedVersions> {
  if (engineUrl === undefined) {
    // The index goes with its database.
    return { versions: new PostgresSearchIndexVersionStore(database), remove: () => Promise.resolve() };
  }
  const indexPrefix = `relevance-${randomBytes(6).toString('hex')}_`;
  const engine = await openSearchEngine({ url: engineUrl, indexPrefix });
  return {
    versions: new ElasticsearchSearchIndexVersionStore(engine),
    remove: async () => {
      const own = await engine.client.indices.get({
        index: `${indexPrefix}*`,
        expand_wildcards: ['open', 'hidden'],
      });
      await engine.client.indices.delete({ index: Object.keys(own) });
      await engine.close();
    },
  };
}

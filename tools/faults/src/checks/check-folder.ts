import {
  Database,
  PostgresAspectStore,
  PostgresGraphIndexVersionStore,
  PostgresSearchIndexVersionStore,
  openEmbeddedServer,
} from '@stratalog/adapters-postgres';
import { StoredIndexVersions } from '@stratalog/indexing';
import { systemClock, Notifier } from '@stratalog/concurrency';
import { graphProjection, searchProjection } from '@stratalog/projection';
import { loadModel } from '@stratalog/registry';
import { MODELS, PARTITIONS, ownModel } from '../catalog/start-catalog';
import { ChangeCheck, type ChangeCounts, type SentValues } from './check-changes';
import { checkIndex } from './check-index';
import { checkLog, checkRules, STORE_RULES, type LogCounts, type Rule } from './check-tables';
import { storedChanges } from './stored-changes';

export interface FolderVerdict extends ChangeCounts {
  readonly documents: number;
  /** Entities with edges. */
  readonly drawing: number;
}

export interface FolderCheck {
  readonly dataDir: string;
  readonly sent: SentValues;
  readonly counts: LogCounts;
  /** `STORE_RULES` by default. */
  readonly rules?: readonly Rule[];
  /** Which model the last run of the catalog had. */
  readonly secondModel: boolean;
  readonly say: (line: string) => void;
}

/** Opens the data folder of a stopped catalog and checks all its data. **Errors**: `Violation`. */
export async function checkFolder({
  dataDir,
  sent,
  counts: logged,
  rules = STORE_RULES,
  secondModel,
  say,
}: FolderCheck): Promise<FolderVerdict> {
  const registry = await loadModel({
    folders: [MODELS, ownModel(secondModel)],
    vendor: 'linkedin',
    urnNamespace: 'li',
  });
  const server = await openEmbeddedServer({ dataDir });
  try {
    const database = await Database.open({ url: server.url, poolSize: 4 });
    try {
      const store = await PostgresAspectStore.open(database, {
        clock: systemClock,
        partitions: PARTITIONS,
        changes: new Notifier(),
      });
      say('checking the log and the latest values');
      await checkRules(database, rules);
      await checkLog(database, logged);
      say('checking every change');
      const check = new ChangeCheck(sent);
      for await (const row of storedChanges(database)) check.add(row);
      const counts = check.finish(await store.readPartitionSequences());
      say('building a second index and comparing');
      const indexes = new StoredIndexVersions(new PostgresSearchIndexVersionStore(database), systemClock);
      const { project, references, listTimeseriesAspects } = searchProjection(registry);
      const documents = await checkIndex({
        check: 'index',
        store,
        indexes,
        project,
        references,
        listTimeseriesAspects,
      });
      say('building a second graph and comparing');
      const graphs = new StoredIndexVersions(new PostgresGraphIndexVersionStore(database), systemClock);
      const drawing = await checkIndex({
        check: 'graph',
        store,
        indexes: graphs,
        project: graphProjection(registry).project,
      });
      return { ...counts, documents, drawing };
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
  }
}

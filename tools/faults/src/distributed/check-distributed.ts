import {
  ElasticsearchSearchIndexVersionStore,
  ElasticsearchTimeseriesIndexVersionStore,
  openSearchEngine,
} from '@stratalog/adapters-elasticsearch';
import type { KafkaCluster } from '@stratalog/adapters-kafka';
import {
  Database,
  PostgresAspectStore,
  PostgresGraphIndexVersionStore,
  PostgresLogOffsets,
  PostgresTimeseriesSource,
} from '@stratalog/adapters-postgres';
import { until } from '@stratalog/harness';
import { StoredIndexVersions } from '@stratalog/indexing';
import type { Addresses } from '@stratalog/local-stack';
import { distance, type PartitionSequences } from '@stratalog/domain';
import { systemClock, Notifier } from '@stratalog/concurrency';
import { graphProjection, searchProjection } from '@stratalog/projection';
import { loadModel } from '@stratalog/registry';
import { MODELS, PARTITIONS } from '../catalog/start-catalog';
import { ChangeCheck, type ChangeCounts, type SentValues } from '../checks/check-changes';
import { checkIndex } from '../checks/check-index';
import { checkTimeseries } from '../checks/check-timeseries';
import { STORE_RULES, checkRules, type Rule } from '../checks/check-tables';
import { storedChanges } from '../checks/stored-changes';
import { Violation } from '../ledger/violation';
import { PublishedCheck } from './published-check';
import { readPublished } from './read-published';
import { scaledLimit } from '../scaled-limit';

export interface DistributedVerdict extends ChangeCounts {
  readonly documents: number;
  /** Entities with edges. */
  readonly drawing: number;
  /** Records of the change topic beyond one for each change. */
  readonly repeats: number;
}

export interface DistributedCheck {
  readonly addresses: Addresses;
  readonly cluster: KafkaCluster;
  readonly sent: SentValues;
  /** `STORE_RULES` by default. */
  readonly rules?: readonly Rule[];
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

const LIMIT_MS = scaledLimit(60_000);
const POLL_MS = 50;

/** Checks all data of a running catalog without writers. **Errors**: `Violation`. */
export async function checkDistributed(parts: DistributedCheck): Promise<DistributedVerdict> {
  const { addresses, cluster, sent, rules = STORE_RULES, signal, say } = parts;
  const registry = await loadModel({ folders: [MODELS], vendor: 'linkedin', urnNamespace: 'li' });
  const database = await Database.open({ url: addresses.DATABASE_URL, poolSize: 4 });
  const engine = await openSearchEngine({ url: addresses.ELASTICSEARCH_URL, indexPrefix: 'stratalog' });
  try {
    const options = { clock: systemClock, partitions: PARTITIONS, changes: new Notifier() };
    const store = await PostgresAspectStore.open(database, options);
    const indexes = new StoredIndexVersions(new ElasticsearchSearchIndexVersionStore(engine), systemClock);
    await untilApplied(parts, new PostgresLogOffsets(database));
    const graphs = new StoredIndexVersions(new PostgresGraphIndexVersionStore(database), systemClock);
    const readSequences = (): Promise<PartitionSequences> => store.readPartitionSequences();
    await untilIndexed(parts, 'index', readSequences, async () => (await indexes.live())?.position());
    await untilIndexed(parts, 'graph', readSequences, async () => (await graphs.live())?.position());
    const series = new StoredIndexVersions(new ElasticsearchTimeseriesIndexVersionStore(engine), systemClock);
    await untilIndexed(parts, 'timeseries index', readSequences, async () =>
      (await series.live())?.position(),
    );
    say('checking every change');
    await checkRules(database, rules);
    const [changes, published] = [new ChangeCheck(sent), new PublishedCheck()];
    for await (const row of storedChanges(database)) {
      changes.add(row);
      published.store(row);
    }
    const counts = changes.finish(await store.readPartitionSequences());
    say('reading the change topic');
    await readPublished(cluster, published, signal);
    say('building a second index and comparing');
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
    const drawing = await checkIndex({
      check: 'graph',
      store,
      indexes: graphs,
      project: graphProjection(registry).project,
    });
    await checkTimeseries(new PostgresTimeseriesSource(database), await series.live());
    return { ...counts, documents, drawing, repeats: published.progress().repeats };
  } finally {
    await engine.close();
    await database.close();
  }
}

/** Waits until the store's offset is past every record of the proposal topic, from any producer. */
async function untilApplied(
  { cluster, signal }: DistributedCheck,
  offsets: PostgresLogOffsets,
): Promise<void> {
  let left = 'nothing was seen';
  const look = async (): Promise<true | undefined> => {
    const [watermarks, stored] = [
      await cluster.readWatermarks(cluster.topics.proposals),
      await offsets.read(),
    ];
    const behind = [...watermarks].filter(
      ([partition, { high }]) => stored.get(partition)?.committedOffset !== high,
    );
    left = behind
      .map(
        ([partition, { high }]) =>
          `${partition} at ${String(stored.get(partition)?.committedOffset)} of ${high}`,
      )
      .join(', ');
    return behind.length === 0 ? true : undefined;
  };
  const done = await until(look, { limitMs: LIMIT_MS, pollMs: POLL_MS, signal });
  if (done === undefined)
    throw new Violation('lag', `no write comes, and the log is not applied: partition ${left}`);
}

async function untilIndexed(
  { signal }: DistributedCheck,
  what: string,
  readSequences: () => Promise<PartitionSequences>,
  positionOf: () => Promise<PartitionSequences | undefined>,
): Promise<void> {
  let lag = 0;
  const look = async (): Promise<true | undefined> => {
    lag = distance((await positionOf()) ?? new Map(), await readSequences());
    return lag === 0 ? true : undefined;
  };
  const done = await until(look, { limitMs: LIMIT_MS, pollMs: POLL_MS, signal });
  if (done === undefined)
    throw new Violation('lag', `no write comes, and the ${what} is ${lag} changes behind`);
}

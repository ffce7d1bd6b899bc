import { describe } from '@jest/globals';
import { systemClock, Notifier } from '@stratalog/concurrency';
import type { Clock } from '@stratalog/ports';
import { LogSubmitter, TableProposalLog } from '@stratalog/writing';
import {
  aspectHistoryContract,
  aspectStoreContract,
  changeLogContract,
  consumerCheckpointsContract,
  graphIndexesContract,
  latestAspectsContract,
  timeseriesContract,
  proposalLogContract,
  proposalSubmitterContract,
  retentionStoreContract,
  runStoreContract,
  schemaStoreContract,
  searchIndexContract,
  searchIndexesContract,
} from '@stratalog/testkit';
import { PostgresAspectHistory } from './aspect-history';
import { PostgresAspectStore } from './aspect-store';
import { PostgresLatestAspects } from './latest-aspects';
import { PostgresChangeLog } from '../change-log/change-log';
import { PostgresConsumerCheckpoints } from '../change-log/consumer-checkpoints';
import { PostgresGraphIndexVersionStore } from '../graph/graph-index-version-store';
import { PostgresProposalTable } from '../proposal-log/proposal-table';
import { PostgresRetentionStore } from '../retention/retention-store';
import { PostgresRunStore } from '../runs/run-store';
import { PostgresSchemaStore } from '../registries/schema-store';
import { PostgresSearchIndexVersionStore } from '../search/search-index-version-store';
import { useSuiteDatabase } from '../testing/suite-database';

const TABLES = [
  'change',
  'timeseries_value',
  'timeseries_deletion',
  'entity',
  'aspect_latest',
  'proposal_log',
  'dead_letter',
  'store_partition',
  'log_partition',
  'search_index_version',
  'graph_index_version',
  'aspect_truncation',
  'retention_pass',
  'relay_lease',
];

/** Runs each contract on a real server, in one database whose tables are emptied between the tests: few rows are faster deleted than truncated. */
describe('PostgreSQL', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });

  const openLog = (partitions: number): TableProposalLog =>
    new TableProposalLog(new PostgresProposalTable(suite.database, partitions), 16);
  const empty = async (clock: Clock): Promise<{ store: PostgresAspectStore; changes: Notifier }> => {
    await suite.database.use((client) =>
      client.query(TABLES.map((table) => `delete from ${table}`).join(';')),
    );
    const changes = new Notifier();
    return {
      store: await PostgresAspectStore.open(suite.database, { clock, partitions: 4, changes }),
      changes,
    };
  };

  aspectStoreContract(async () => {
    const clock = { time: 1_000, now: () => clock.time };
    return { ...(await empty(clock)), clock };
  });

  latestAspectsContract(async () => {
    const clock = { time: 1_000, now: () => clock.time };
    return { ...(await empty(clock)), latest: new PostgresLatestAspects(suite.database), clock };
  });

  aspectHistoryContract(async () => {
    const clock = { time: 1_000, now: () => clock.time };
    return { ...(await empty(clock)), history: new PostgresAspectHistory(suite.database), clock };
  });

  retentionStoreContract(async () => {
    const clock = { time: 1_000, now: () => clock.time };
    const { store } = await empty(clock);
    const { partitions } = store.identity;
    const resolveRetention = (isPublished: boolean): PostgresRetentionStore =>
      new PostgresRetentionStore(suite.database, { clock, partitions, isPublished });
    const reach = async (partition: number, seq: number): Promise<void> => {
      await suite.database.use((client) =>
        client.query('insert into relay_lease (partition, published) values ($1, $2)', [partition, seq]),
      );
    };
    return {
      store,
      clock,
      history: new PostgresAspectHistory(suite.database),
      retention: resolveRetention(false),
      published: { retention: resolveRetention(true), reach },
    };
  });

  runStoreContract(async () => {
    const clock = { time: 1_000, now: () => clock.time };
    return { ...(await empty(clock)), runs: new PostgresRunStore(suite.database), clock };
  });

  timeseriesContract(async () => {
    const clock = { time: 1_000, now: () => clock.time };
    return { ...(await empty(clock)), clock };
  });

  proposalLogContract(async () => {
    const { store } = await empty(systemClock);
    return { store, open: () => openLog(store.identity.partitions) };
  });

  proposalSubmitterContract(async () => {
    const { store } = await empty(systemClock);
    return {
      store,
      open: (commitTimeoutMs) => {
        const log = openLog(store.identity.partitions);
        return { log, submitter: new LogSubmitter(log, { store, commitTimeoutMs }) };
      },
    };
  });

  changeLogContract(async () => {
    const { store, changes } = await empty(systemClock);
    return { store, log: new PostgresChangeLog(suite.database, store.identity.partitions, changes) };
  });

  schemaStoreContract(async () => {
    await suite.database.use((client) => client.query('truncate registered_schema cascade'));
    return () => new PostgresSchemaStore(suite.database);
  });

  consumerCheckpointsContract(async () => {
    await suite.database.use((client) => client.query('truncate consumer_checkpoint'));
    return () => new PostgresConsumerCheckpoints(suite.database);
  });

  const lose = async ({ name }: { readonly name: string }): Promise<void> => {
    await suite.database.use((client) => client.query(`drop table ${name}`));
  };

  searchIndexesContract(async () => {
    await empty(systemClock);
    // Each test opens its own indexes, so that no cached live index outlives its table.
    return { versions: new PostgresSearchIndexVersionStore(suite.database), lose };
  });

  // The contract's indexes are small. With these limits they too are walked, and walks often end too soon.
  describe('with walks through few documents', () => {
    searchIndexContract(async () => {
      await empty(systemClock);
      const limits = { fewMatches: 1, fewByKeys: 3, maxPlace: 12, walked: 6 };
      return { versions: new PostgresSearchIndexVersionStore(suite.database, limits), lose };
    });
  });

  graphIndexesContract(async () => {
    await empty(systemClock);
    return { versions: new PostgresGraphIndexVersionStore(suite.database), lose };
  });
});

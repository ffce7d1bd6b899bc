import { randomBytes } from 'node:crypto';
import {
  Database,
  PostgresAspectStore,
  PostgresLogOffsets,
  createScratchDatabase,
  type ScratchDatabase,
} from '@stratalog/adapters-postgres';
import { systemClock, Notifier } from '@stratalog/concurrency';
import { Kafka, logLevel, type Admin } from 'kafkajs';
import { KafkaCluster, type KafkaSettings } from './kafka-cluster';

const TABLES =
  'change, timeseries_value, timeseries_deletion, entity, aspect_latest, aspect_truncation, dead_letter, store_partition, log_partition, relay_lease, relay_process, relay_fence';

export const PARTITIONS = 4;

/** A real Kafka and a real store, both empty for each test: new topics and truncated tables. */
export class KafkaFixture {
  readonly offsets: PostgresLogOffsets;
  readonly changes = new Notifier();
  private readonly opened: { close(): Promise<void> }[] = [];

  private constructor(
    private readonly scratch: ScratchDatabase,
    readonly database: Database,
  ) {
    this.offsets = new PostgresLogOffsets(database);
  }

  static async create(): Promise<KafkaFixture> {
    const scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    return new KafkaFixture(scratch, await Database.open({ url: scratch.url, poolSize: 8 }));
  }

  /** Truncates and opens the store. `isPublished` keeps values that the relay has not published yet. */
  async store({ isPublished = false } = {}): Promise<PostgresAspectStore> {
    await this.database.use((client) => client.query(`truncate ${TABLES} cascade`));
    return PostgresAspectStore.open(this.database, {
      clock: systemClock,
      partitions: PARTITIONS,
      changes: this.changes,
      isPublished,
    });
  }

  /** Connects to the topics of `prefix`, or to new ones without it. */
  async cluster(settings: Partial<KafkaSettings> = {}): Promise<KafkaCluster> {
    return this.closing(
      await KafkaCluster.open({
        brokers: testBrokers(),
        clientId: 'test',
        partitions: PARTITIONS,
        prefix: newPrefix(),
        ...settings,
      }),
    );
  }

  /** Registers a resource to be closed after the test. */
  closing<T extends { close(): Promise<void> }>(open: T): T {
    this.opened.push(open);
    return open;
  }

  /** Opens an admin client, to act on the broker as operators do. */
  async admin(): Promise<Admin> {
    const admin = new Kafka({ brokers: testBrokers(), logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    this.closing({ close: () => admin.disconnect() });
    return admin;
  }

  async afterEach(): Promise<void> {
    for (const open of this.opened.splice(0).reverse()) await open.close();
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.scratch.drop();
  }
}

function testBrokers(): string[] {
  return (process.env.STRATALOG_TEST_KAFKA_BROKERS ?? '').split(',');
}

export function newPrefix(): string {
  return `t${randomBytes(5).toString('hex')}-`;
}

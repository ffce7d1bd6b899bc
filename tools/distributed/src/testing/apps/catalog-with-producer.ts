import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import kafkajs, { Kafka, logLevel, type KafkaMessage, type Producer } from 'kafkajs';
import { readTopic } from './read-topic';
import { buildBundles } from '@stratalog/harness';
import { TestApps } from './test-apps';
import { onTestServers } from './test-servers';

export interface WithProducerOptions {
  /** Apps that a test needs in addition to ingest, query and the proxy. */
  readonly apps: readonly string[];
  /** Settings in addition to those of the test servers, for a prefix of the topics. */
  readonly settings: (prefix: string) => NodeJS.ProcessEnv;
}

/** A distributed catalog behind its proxy, and another program that produces to its topics and reads them. */
export class CatalogWithProducer {
  private constructor(
    readonly url: string,
    /** Prefix of the topics' names. */
    readonly prefix: string,
    private readonly apps: TestApps,
    private readonly database: ScratchDatabase,
    private readonly kafka: Kafka,
    private readonly producer: Producer,
  ) {}

  static async start(options: WithProducerOptions): Promise<CatalogWithProducer> {
    buildBundles();
    const database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    const servers = onTestServers(database.url);
    const prefix = servers.KAFKA_TOPIC_PREFIX ?? '';
    const apps = new TestApps({ ...servers, ...options.settings(prefix) });
    const ingest = await apps.start('ingest').ready();
    const [query = ''] = await Promise.all(['query', ...options.apps].map((app) => apps.start(app).ready()));
    const url = await apps.startProxy([ingest], query);
    const brokers = (servers.KAFKA_BROKERS ?? '').split(',');
    const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
    const producer = kafka.producer();
    await producer.connect();
    return new CatalogWithProducer(url, prefix, apps, database, kafka, producer);
  }

  /** Produces to a topic, which is named without its prefix. */
  async produce(topic: string, key: string, ...values: readonly (string | Buffer)[]): Promise<void> {
    const messages = values.map((value) => ({ key, value }));
    await this.producer.send({ topic: this.prefix + topic, messages });
  }

  /** Produces one batch to a topic, compressed by gzip. */
  async produceCompressed(topic: string, key: string, ...values: readonly string[]): Promise<void> {
    const messages = values.map((value) => ({ key, value }));
    const compression = kafkajs.CompressionTypes.GZIP;
    await this.producer.send({ topic: this.prefix + topic, messages, compression });
  }

  /** Reads a topic up to the record of `isLast`. `reader` distinguishes consumers of the same topic. */
  read(
    topic: string,
    reader: string,
    isLast: (message: KafkaMessage) => boolean,
  ): Promise<readonly KafkaMessage[]> {
    return readTopic(this.kafka, { topic: this.prefix + topic, groupId: this.prefix + reader }, isLast);
  }

  async end(): Promise<void> {
    await this.producer.disconnect();
    await this.apps.end();
    await this.database.drop();
  }
}

import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { Kafka, logLevel, type Admin, type ISocketFactory, type SASLOptions } from 'kafkajs';
import { createClientLog, type ClientLog } from './client-log';
import { ensureTopics } from './ensure-topics';
import { repairKafkajs } from './kafkajs-repairs';
import { RawRequests, type TopicWatermarks } from './raw-requests';
import { maxValueBytes, readTopicConfigs } from './topic-config';
import { buildTopicNames, type TopicNames } from './topic-names';
import { translateKafkaError } from './translate-kafka-error';

export interface KafkaSettings {
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** Prefix of the names of topics, groups and transactions, so that several catalogs can share a cluster. */
  readonly prefix?: string;
  readonly topics?: Partial<TopicNames>;
  /** Part of the group ids. Readers of another store are other groups and get every record of the same topics too. */
  readonly storeId?: string;
  /** Number of partitions of each topic; equals the store's number. */
  readonly partitions: number;
  readonly ssl?: boolean | ConnectionOptions;
  readonly sasl?: SASLOptions;
  /** Receives the client's log lines for operators. */
  readonly log?: ClientLog;
  /** Time after which an unanswered request fails, which frees the connection for the next. */
  readonly requestTimeoutMs?: number;
  /** Creates connections; replaced in tests. */
  readonly socketFactory?: ISocketFactory;
}

const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 15_000;
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 };
const KEEP_ALIVE_MS = 10_000;
/** Number of digits of a store's id that distinguish stores. */
const STORE_DIGITS = 8;

/** Connects the catalog to one Kafka cluster: the client, the topics, and the functions that both logs share. */
export class KafkaCluster {
  readonly topics: TopicNames;
  readonly prefix: string;
  readonly partitions: number;
  readonly client: Kafka;
  readonly raw: RawRequests;
  private admin: Promise<Admin> | undefined;

  private constructor(private readonly settings: KafkaSettings) {
    repairKafkajs();
    this.prefix = settings.prefix ?? '';
    this.topics = buildTopicNames(settings.prefix, settings.topics);
    this.partitions = settings.partitions;
    this.client = createClient(settings);
    this.raw = new RawRequests(this.client, Object.values(this.topics));
  }

  /**
   * Connects, and creates missing topics.
   *
   * **Errors**: `UnavailableError` when no broker answers; `InvalidSettingError` when Kafka rejects the credentials, or
   * a topic has another number of partitions than the store.
   */
  static async open(settings: KafkaSettings): Promise<KafkaCluster> {
    const cluster = new KafkaCluster(settings);
    try {
      const { partitions } = settings;
      const onWarning = (text: string): void => {
        cluster.warn(text);
      };
      await cluster.administer((admin) => ensureTopics(admin, cluster.topics, { partitions, onWarning }));
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  /**
   * Reads the low and high watermark of each partition of a topic: its first offset, and the offset of the next record.
   */
  readWatermarks(topic: string): Promise<ReadonlyMap<number, TopicWatermarks>> {
    return this.raw.readWatermarks(topic);
  }

  /** Reads the size of the values that all of these topics take; `undefined` when Kafka does not say. **Units**: bytes. */
  async readMaxValueBytes(topics: readonly string[]): Promise<number | undefined> {
    const configs = await this.administer((admin) => readTopicConfigs(admin, topics));
    return configs === undefined ? undefined : maxValueBytes(configs.values());
  }

  /** Builds the group id of a reader's instances. The group's offsets are not used, so a new name loses nothing. */
  toGroupId(reader: string): string {
    const { storeId } = this.settings;
    const store = storeId === undefined ? '' : `-${storeId.slice(0, STORE_DIGITS)}`;
    return `${this.prefix}stratalog-${reader}${store}`;
  }

  warn(text: string): void {
    this.settings.log?.('warn', text);
  }

  async close(): Promise<void> {
    await this.raw.close();
    await this.discardAdmin();
  }

  /** kafkajs keeps using a connection that no longer answers, so a failure closes the existing connections. */
  private async administer<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    try {
      return await work(await (this.admin ??= connectAdmin(this.client)));
    } catch (error) {
      await this.discardAdmin();
      throw translateKafkaError(error);
    }
  }

  private async discardAdmin(): Promise<void> {
    const { admin } = this;
    this.admin = undefined;
    await admin?.then((own) => own.disconnect()).catch(() => undefined);
  }
}

async function connectAdmin(client: Kafka): Promise<Admin> {
  const admin = client.admin({ retry: RETRY });
  await admin.connect();
  return admin;
}

function createClient(settings: KafkaSettings): Kafka {
  return new Kafka({
    brokers: [...settings.brokers],
    clientId: settings.clientId,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: settings.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    retry: RETRY,
    ...(settings.ssl === undefined ? {} : { ssl: settings.ssl }),
    ...(settings.sasl === undefined ? {} : { sasl: settings.sasl }),
    socketFactory: settings.socketFactory ?? createSocket,
    logLevel: logLevel.WARN,
    logCreator: () => {
      const tell = createClientLog(settings.log ?? (() => undefined));
      return ({ namespace, log }) => {
        const { message, error } = log as typeof log & { readonly error?: unknown };
        tell({ namespace, message, error });
      };
    },
  });
}

/**
 * The client writes a request in pieces. Without `noDelay` the second waits up to 40 ms for the acknowledgement of the
 * first.
 */
const createSocket: ISocketFactory = ({ host, port, ssl, onConnect }) => {
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket =
    (ssl as unknown) === undefined || (ssl as unknown) === false || (ssl as unknown) === null
      ? connectPlain({ host, port }, onConnect)
      : connectTls({ host, port, ...servername, ...ssl }, onConnect);
  return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
};

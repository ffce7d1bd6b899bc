import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { Kafka, logLevel, type Admin, type ISocketFactory, type SASLOptions } from 'kafkajs';
import { createClientLog, type ClientLog } from './client-log';
import { ensureTopics } from './ensure-topics';
import { repairKafkajs } from './kafkajs-repairs';
import { RawRequests, type TopicWatermarks } from './raw-requests';
import { topicNamesOf, type TopicNames } from './topic-names';
import { translateKafkaError } from './translate-kafka-error';

export interface KafkaSettings {
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** Put before the names of topics, groups and transactions, so that several catalogs share a cluster. */
  readonly prefix?: string;
  readonly topics?: Partial<TopicNames>;
  /** Whose groups the readers are: those of another store get every record of the same topics, too. */
  readonly storeId?: string;
  /** Of each topic; the store's own number. */
  readonly partitions: number;
  readonly ssl?: boolean | ConnectionOptions;
  readonly sasl?: SASLOptions;
  /** What the client has to say that someone may want to read. */
  readonly log?: ClientLog;
  /** A request that is not answered by then is given up, and with it the connection's turn. */
  readonly requestTimeoutMs?: number;
  /** How connections are made; replaced in tests. */
  readonly socketFactory?: ISocketFactory;
}

const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 15_000;
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 };
const KEEP_ALIVE_MS = 10_000;
/** Enough of a store's id to tell stores apart. */
const STORE_DIGITS = 8;

/** One Kafka cluster as the catalog uses it: its client, its topics, and what both logs share. */
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
    this.topics = topicNamesOf(settings.prefix, settings.topics);
    this.partitions = settings.partitions;
    this.client = createClient(settings);
    this.raw = new RawRequests(this.client, Object.values(this.topics));
  }

  /**
   * Connects and sees to the topics: those that are missing are made.
   *
   * **Errors**: `UnavailableError` when no broker answers; `InvalidSettingError` when Kafka rejects us, or when a topic has
   * another number of partitions than the store.
   */
  static async open(settings: KafkaSettings): Promise<KafkaCluster> {
    const cluster = new KafkaCluster(settings);
    try {
      await cluster.administer((admin) => ensureTopics(admin, cluster.topics, settings));
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  /** The offsets that each partition of a topic holds: the first, and the one that the next record will get. */
  offsetsByPartition(topic: string): Promise<ReadonlyMap<number, TopicWatermarks>> {
    return this.raw.offsetsByPartition(topic);
  }

  /** The group of a reader's instances. Its offsets are not used, so another name loses nothing. */
  groupOf(reader: string): string {
    const { storeId } = this.settings;
    const store = storeId === undefined ? '' : `-${storeId.slice(0, STORE_DIGITS)}`;
    return `${this.prefix}stratalog-${reader}${store}`;
  }

  warn(text: string): void {
    this.settings.log?.('warn', text);
  }

  async close(): Promise<void> {
    await this.raw.close();
    await this.forgetAdmin();
  }

  /** kafkajs goes on using a connection on which nothing is answered any more, so a failure ends those that it has. */
  private async administer<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    try {
      return await work(await (this.admin ??= connectAdmin(this.client)));
    } catch (error) {
      await this.forgetAdmin();
      throw translateKafkaError(error);
    }
  }

  private async forgetAdmin(): Promise<void> {
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
    socketFactory: settings.socketFactory ?? quickSockets,
    logLevel: logLevel.WARN,
    logCreator: () => {
      const tell = createClientLog(settings.log ?? (() => undefined));
      return ({ level, namespace, log }) => {
        const { message, error } = log as typeof log & { readonly error?: unknown };
        tell({ namespace, isError: level === logLevel.ERROR, message, error });
      };
    },
  });
}

/** The client writes requests in pieces; without `noDelay` the second waits up to 40 ms for the first to be acknowledged. */
const quickSockets: ISocketFactory = ({ host, port, ssl, onConnect }) => {
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket =
    (ssl as unknown) === undefined || (ssl as unknown) === false || (ssl as unknown) === null
      ? connectPlain({ host, port }, onConnect)
      : connectTls({ host, port, ...servername, ...ssl }, onConnect);
  return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
};

import { Kafka, logLevel, type Admin } from 'kafkajs';

/** The consumer groups of one catalog, as Kafka knows them. */
export class ConsumerGroups {
  private constructor(
    private readonly admin: Admin,
    private readonly prefix: string,
  ) {}

  static async open(servers: NodeJS.ProcessEnv): Promise<ConsumerGroups> {
    const brokers = (servers.KAFKA_BROKERS ?? '').split(',');
    const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    return new ConsumerGroups(admin, servers.KAFKA_TOPIC_PREFIX ?? '');
  }

  /** By group the ids of its members: a consumer that loses its session comes back under another one. */
  async members(): Promise<Readonly<Record<string, readonly string[]>>> {
    const { groups } = await this.admin.listGroups();
    const own = groups.map(({ groupId }) => groupId).filter((groupId) => groupId.startsWith(this.prefix));
    const described = await this.admin.describeGroups(own.sort());
    return Object.fromEntries(
      described.groups.map(({ groupId, members }) => [
        groupId,
        members.map(({ memberId }) => memberId).sort(),
      ]),
    );
  }

  close(): Promise<void> {
    return this.admin.disconnect();
  }
}

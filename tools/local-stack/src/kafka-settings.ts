export interface KafkaPlace {
  readonly port: number;
  readonly controllerPort: number;
  readonly dataDir: string;
}

/** The properties file of one broker that is its own controller, on this machine only, as small as it goes. */
export function kafkaProperties(
  { port, controllerPort, dataDir }: KafkaPlace,
  others: Readonly<Record<string, string>> = {},
): string {
  const properties: Readonly<Record<string, string | number>> = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'log.dirs': dataDir,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.quorum.bootstrap.servers': `127.0.0.1:${controllerPort}`,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 2,
    'auto.create.topics.enable': 'false',
    // A first consumer need not wait for others.
    'group.initial.rebalance.delay.ms': 0,
    // After a kill the next start waits for the end of the former session: 9 s by default.
    'broker.session.timeout.ms': 1_500,
    'broker.heartbeat.interval.ms': 300,
    // The default takes 128 MB of heap at once.
    'log.cleaner.dedupe.buffer.size': 8 * 1024 * 1024,
    'log.segment.bytes': 64 * 1024 * 1024,
    'num.network.threads': 2,
    'num.io.threads': 4,
    ...others,
  };
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

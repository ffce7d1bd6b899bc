export interface KafkaPlace {
  /** Listeners of clients and of the controller. */
  readonly listen: string;
  /** `host:port` at which clients find it. */
  readonly address: string;
  /** `host:port`. */
  readonly controller: string;
  readonly dataDir: string;
}

/** Settings of one broker that is its own controller, as small as possible. */
export function kafkaSettings({
  listen,
  address,
  controller,
  dataDir,
}: KafkaPlace): Readonly<Record<string, string | number>> {
  return {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'log.dirs': dataDir,
    listeners: listen,
    'advertised.listeners': `PLAINTEXT://${address}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.quorum.bootstrap.servers': controller,
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
  };
}

/** The properties file of a broker on this machine only. */
export function kafkaProperties(
  { port, controllerPort, dataDir }: { port: number; controllerPort: number; dataDir: string },
  others: Readonly<Record<string, string>> = {},
): string {
  const address = `127.0.0.1:${port}`;
  const controller = `127.0.0.1:${controllerPort}`;
  const listen = `PLAINTEXT://${address},CONTROLLER://${controller}`;
  const settings = { ...kafkaSettings({ listen, address, controller, dataDir }), ...others };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

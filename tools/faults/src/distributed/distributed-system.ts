import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { KafkaCluster } from '@stratalog/adapters-kafka';
import { plainEnvironment, processesIn } from '@stratalog/harness';
import { PARTITIONS } from '../catalog/start-catalog';
import { Violation } from '../ledger/violation';
import type { Workspace } from '../catalog/workspace';
import { Fleet } from './fleet';
import { Servers } from './servers';

export interface SystemDeps {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  /** Receives the unexpected end of an app. */
  readonly onViolation: (violation: Violation) => void;
  /** Receives the function to call at once when this process must end. */
  readonly onStarted: (endAll: () => void) => void;
}

const RECREATE_POLL_MS = 50;

/** A whole distributed catalog: the servers, the apps, and a connection to its Kafka. */
export class DistributedSystem {
  private constructor(
    private readonly workspace: Workspace,
    readonly servers: Servers,
    readonly fleet: Fleet,
    readonly cluster: KafkaCluster,
    /** The operator's token. */
    readonly token: string,
  ) {}

  /**
   * Resolves when every app reports that it is ready. **Errors**: the fault of a failed start; the rest is
   * ended then.
   */
  static async start({ workspace, signal, onViolation, onStarted }: SystemDeps): Promise<DistributedSystem> {
    const servers = await Servers.start(workspace.dataDir, signal);
    const { addresses } = servers;
    const environment = {
      ...plainEnvironment(),
      STRATALOG_PARTITIONS: String(PARTITIONS),
      // Only the run itself calls this catalog.
      STRATALOG_AUTH: 'operations',
    };
    const token = randomBytes(32).toString('base64url');
    const place = { environment, addresses, token };
    const fleet = new Fleet({ place, folder: join(workspace.folder, 'apps'), signal, onViolation });
    onStarted(() => {
      fleet.end();
      servers.killPostgres();
    });
    try {
      await fleet.startAll();
      const brokers = addresses.KAFKA_BROKERS.split(',');
      const cluster = await KafkaCluster.open({ brokers, clientId: 'faults', partitions: PARTITIONS });
      return new DistributedSystem(workspace, servers, fleet, cluster, token);
    } catch (error) {
      fleet.end();
      await servers.stop();
      throw error;
    }
  }

  /**
   * Stops everything in order. **Errors**: `Violation` when an app does not end well, or a process is left.
   */
  async stop(): Promise<void> {
    await this.fleet.stopAll();
    await this.end();
    const left = processesIn(this.workspace.folder, this.workspace.dataDir);
    if (left.length > 0) throw new Violation('stop', `processes are left behind: ${left.join(', ')}`);
  }

  /** Deletes the topic of proposals, and makes it again, as an operator does who mistakes it for another. */
  async recreateProposals(): Promise<void> {
    const { client, topics, partitions } = this.cluster;
    const topic = topics.proposals;
    const admin = client.admin();
    await admin.connect();
    try {
      await admin.deleteTopics({ topics: [topic] });
      while ((await admin.listTopics()).includes(topic)) await pause(RECREATE_POLL_MS);
      await admin.createTopics({ topics: [{ topic, numPartitions: partitions }], waitForLeaders: false });
    } finally {
      await admin.disconnect();
    }
  }

  /** Ends by force the processes that do not end in order. Harmless when none is left. */
  async end(): Promise<void> {
    this.fleet.end();
    await this.cluster.close();
    await this.servers.stop();
  }
}

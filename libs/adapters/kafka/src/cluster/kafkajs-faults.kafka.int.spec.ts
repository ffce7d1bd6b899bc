import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { UnavailableError, type Proposal } from '@stratalog/domain';
import type { AspectStore, Subscription } from '@stratalog/ports';
import { applyTo, datasetUrn, proposalFor, until } from '@stratalog/testkit';
import type { ISocketFactory } from 'kafkajs';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import type { KafkaCluster } from './kafka-cluster';
import { KafkaFixture } from './kafka.fixture';
import { KafkaProposalLog } from '../proposal-log/proposal-log';
import { RecordSender, UNGUARDED } from '../producer/record-sender';
import { encoded } from '../producer/encoded.fixture';
import { translateKafkaError } from './translate-kafka-error';

/** Sockets that a test can cut, or silence as when a broker's machine is lost. */
class Sockets {
  private readonly open = new Set<Socket>();

  get count(): number {
    return this.open.size;
  }

  readonly factory: ISocketFactory = ({ host, port, onConnect }) => {
    const socket = connect({ host, port }, onConnect).setNoDelay(true);
    this.open.add(socket);
    socket.on('close', () => this.open.delete(socket));
    return socket;
  };

  cut(): void {
    for (const socket of this.open) {
      socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    }
  }

  silence(): void {
    for (const socket of this.open) {
      socket.removeAllListeners('data');
      socket.resume();
    }
  }
}

describe("kafkajs's known faults", () => {
  let fixture: KafkaFixture;
  let store: AspectStore;
  let cluster: KafkaCluster;
  let sockets: Sockets;
  let applied: Proposal[];

  beforeAll(async () => {
    fixture = await KafkaFixture.create();
  });
  beforeEach(async () => {
    store = await fixture.store();
    sockets = new Sockets();
    cluster = await fixture.cluster({ socketFactory: sockets.factory, requestTimeoutMs: 2_000 });
    applied = [];
  });
  afterEach(() => fixture.afterEach());
  afterAll(() => fixture.close());

  const openLog = (own: KafkaCluster): KafkaProposalLog =>
    fixture.closing(
      new KafkaProposalLog(own, {
        offsets: fixture.offsets,
        maxRecords: 100,
        timing: { stuckAfterMs: 2_000, auditMs: 500, sessionTimeoutMs: 6_000 },
      }),
    );
  const consume = async (own: KafkaCluster): Promise<Subscription> => {
    const subscription = openLog(own).consume(applyTo(store, (proposal) => applied.push(proposal)));
    fixture.closing({ close: () => subscription.stop() });
    await subscription.start();
    return subscription;
  };
  const append = async (log: KafkaProposalLog, name: string): Promise<void> => {
    await log.append([proposalFor(datasetUrn(name))]);
  };

  it('sets no negative timer, and none while no request waits', () => {
    const queue = Object.create(RequestQueue.prototype) as RequestQueue;
    Object.assign(queue, { pending: [], throttledUntil: -1, throttleCheckTimeoutId: null });
    queue.scheduleCheckPendingRequests();
    expect(queue.throttleCheckTimeoutId).toBeNull();
  });

  it('shares a connection between concurrent requests, and leaves none open at the end', async () => {
    const { raw, topics } = cluster;
    await cluster.readWatermarks(topics.changes);
    const before = sockets.count;
    await Promise.all(Array.from({ length: 16 }, () => raw.firstFrom(topics.changes, 0, 0)));
    // One for fetches; all other requests share an existing connection.
    expect(sockets.count - before).toBe(1);
    await cluster.close();
    await until(() => sockets.count === 0);
  });

  it('continues reading after its connections are cut', async () => {
    const log = openLog(await fixture.cluster({ prefix: cluster.prefix }));
    await consume(cluster);
    await append(log, 'before');
    await until(() => applied.length === 1);
    for (let n = 0; n < 5; n++) sockets.cut();
    await append(log, 'after');
    await until(() => applied.length === 2);
  });

  it("takes a question about topics that no broker answers for Kafka's absence, and for no fault of ours", async () => {
    const admin = cluster.client.admin();
    fixture.closing({ close: () => admin.disconnect() });
    await admin.connect();
    sockets.silence();
    const failure = await admin.listTopics().catch((error: unknown) => error);
    expect(translateKafkaError(failure)).toBeInstanceOf(UnavailableError);
  });

  it('replaces a consumer whose fetch is never answered', async () => {
    const log = openLog(await fixture.cluster({ prefix: cluster.prefix }));
    const subscription = await consume(cluster);
    await append(log, 'before');
    await until(() => applied.length === 1);
    sockets.silence();
    await append(log, 'after');
    await until(() => subscription.status().state === 'retrying');
    await until(() => applied.length === 2);
    await until(() => subscription.status().state === 'running');
  });

  it('keeps every confirmed record exactly once despite failures', async () => {
    const sender = fixture.closing(new RecordSender(cluster.client, UNGUARDED));
    const topic = cluster.topics.proposals;
    const confirmed = new Map<number, string>();
    for (let round = 0; round < 20; round++) {
      const sent = Array.from({ length: 20 }, (_, at) => `r${String(round)}-${String(at)}`);
      const sends = sent.map((key) =>
        sender.send(encoded([{ topic, partition: 0, key, value: Buffer.from(key) }])).then(
          ([position]) => confirmed.set(position?.offset ?? -1, key),
          () => undefined,
        ),
      );
      if (round % 4 === 1) sockets.cut();
      await Promise.all(sends);
    }
    expect(confirmed.size).toBeGreaterThan(0);
    const found = new Map<number, string>();
    const high = (await cluster.readWatermarks(topic)).get(0)?.high ?? 0;
    for (let offset = 0; offset < high; offset++) {
      const message = await cluster.raw.firstFrom(topic, 0, offset);
      found.set(offset, message?.value?.toString() ?? '');
    }
    for (const [offset, key] of confirmed) expect(found.get(offset)).toBe(key);
    expect(new Set(found.values()).size).toBe(found.size);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Steps } from '@stratalog/json';
import { KafkaFixture } from '../cluster/kafka.fixture';
import { encoded } from './encoded.fixture';
import { RecordSender, UNGUARDED, type OutgoingRecord } from './record-sender';

/** Longer than an encoding holds the event loop before it yields to the next call. */
const LONG_MS = 20;

describe('A record sender', () => {
  let fixture: KafkaFixture;

  beforeAll(async () => {
    fixture = await KafkaFixture.create();
  });
  afterEach(() => fixture.afterEach());
  afterAll(() => fixture.close());

  it('keeps the order of the calls when an encoding yields to the next call', async () => {
    const cluster = await fixture.cluster();
    const sender = fixture.closing(new RecordSender(cluster.client, UNGUARDED));
    const durations = [0, LONG_MS, 0, 0, LONG_MS, 0];
    const toRecord = (key: string) => ({
      topic: cluster.topics.failedProposals,
      partition: 1,
      key,
      value: Buffer.from(key),
    });
    const sent = await Promise.all(
      durations.map((ms, at) =>
        sender.send(encoded([toRecord(`${String(at)}a`), toRecord(`${String(at)}b`)], ms)),
      ),
    );
    expect(sent.flat().map(({ partition, offset }) => ({ partition, offset }))).toEqual(
      durations.flatMap((_, at) => [2 * at, 2 * at + 1].map((offset) => ({ partition: 1, offset }))),
    );
  });

  it('sends the other calls when an encoding fails', async () => {
    const cluster = await fixture.cluster();
    const sender = fixture.closing(new RecordSender(cluster.client, UNGUARDED));
    const record = { topic: cluster.topics.failedProposals, partition: 0, key: 'k', value: Buffer.from('v') };
    const failed = expect(sender.send(failing())).rejects.toThrow('no text');
    expect(await sender.send(encoded([record]))).toMatchObject([{ partition: 0, offset: 0 }]);
    await failed;
  });
});

function* failing(): Steps<readonly OutgoingRecord[]> {
  yield;
  throw new Error('no text');
}

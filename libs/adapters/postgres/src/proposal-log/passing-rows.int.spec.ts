import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { partitionOf, proposalsIn, type ProposalEntry, type WriteOutcome } from '@stratalog/domain';
import { Notifier, systemClock } from '@stratalog/concurrency';
import type { BatchHandler, Subscription } from '@stratalog/ports';
import { applyTo, datasetUrn, proposalFor, until } from '@stratalog/testkit';
import { TableProposalLog } from '@stratalog/writing';
import { PostgresAspectStore } from '../aspect-store/aspect-store';
import { useSuiteDatabase } from '../testing/suite-database';
import { PostgresProposalTable } from './proposal-table';

const PARTITIONS = 2;
const ROWS = 3;

describe('rows of one urn that the handler leaves', () => {
  const suite = useSuiteDatabase();
  const [hot, other] = namesOfOnePartition();
  let store: PostgresAspectStore;
  let log: TableProposalLog;
  let subscription: Subscription;
  let isHeld = true;

  beforeEach(async () => {
    isHeld = true;
    store = await PostgresAspectStore.open(suite.database, {
      clock: systemClock,
      partitions: PARTITIONS,
      changes: new Notifier(),
    });
    log = open();
    await log.append(
      Array.from({ length: ROWS }, (_, at) => proposalFor(hot, { value: `{"n":${String(at)}}` })),
    );
    const apply = applyTo(store);
    const handler: BatchHandler<ProposalEntry, WriteOutcome> = (batch) => {
      const isOfHot = batch.records.some(
        ({ content }) => content.kind === 'decoded' && proposalsIn(content.value)[0].urn === hot,
      );
      if (!isHeld || !isOfHot) return apply(batch);
      return Promise.resolve({ kind: 'done', results: [], rest: batch });
    };
    subscription = log.consume(handler);
    await subscription.start();
  });
  afterEach(async () => {
    isHeld = false;
    await until(async () => (await versionOf(hot)) >= ROWS);
    await subscription.stop();
    await suite.database.use((client) =>
      client.query(
        'delete from change; delete from aspect_latest; delete from entity; update log_partition set end_offset = 0, committed_offset = 0',
      ),
    );
  });

  const open = (): TableProposalLog =>
    new TableProposalLog(new PostgresProposalTable(suite.database, PARTITIONS), 16);
  const versionOf = async (urn: string): Promise<number> =>
    (await store.readEntity(urn))?.aspects[0]?.version ?? 0;

  it('let a proposal of another urn of their partition pass, and none of their own', async () => {
    await until(async () => 'kind' in (await log.appendAwaited(proposalFor(other, { value: '{"a":1}' }))));
    expect(await versionOf(other)).toBeGreaterThan(0);
    expect(await versionOf(hot)).toBe(0);
    const behind = await log.appendAwaited(proposalFor(hot, { value: '{"n":"last"}' }));
    expect(behind).toMatchObject({ partition: partitionOf(hot, PARTITIONS), offset: ROWS + 1 });
    isHeld = false;
    await until(async () => (await versionOf(hot)) === ROWS + 1);
    expect((await store.readEntity(hot))?.aspects[0]?.value).toBe('{"n":"last"}');
  });

  it('let no proposal pass that another process has logged behind them', async () => {
    await until(async () => 'kind' in (await log.appendAwaited(proposalFor(other, { value: '{"a":1}' }))));
    const before = await versionOf(other);
    await open().append([proposalFor(other, { value: '{"a":2}' })]);
    const later = await log.appendAwaited(proposalFor(other, { value: '{"a":3}' }));
    expect(later).toMatchObject({ partition: partitionOf(hot, PARTITIONS), offset: ROWS + 2 });
    isHeld = false;
    await until(async () => (await versionOf(other)) === before + 2);
    expect((await store.readEntity(other))?.aspects[0]?.value).toBe('{"a":3}');
  });
});

function namesOfOnePartition(): readonly [hot: string, other: string] {
  const urns = Array.from({ length: PARTITIONS + 1 }, (_, at) => datasetUrn(`n${String(at)}`));
  for (const [at, one] of urns.entries()) {
    const same = urns
      .slice(at + 1)
      .find((each) => partitionOf(each, PARTITIONS) === partitionOf(one, PARTITIONS));
    if (same !== undefined) return [one, same];
  }
  throw new Error('There are more urns than partitions');
}

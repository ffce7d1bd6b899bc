import {
  LogMovedError,
  partitionOf,
  stringifyJson,
  type ChangeRecord,
  type StoredAspect,
} from '@stratalog/model';
import type {
  AspectRef,
  Clock,
  LogRange,
  Refresh,
  Refusal,
  WriteBatch,
  WriteSet,
  WriteSnapshot,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import { storedAspectOf, type LatestRow } from './aspect-rows';
import {
  DROP_APPLIED,
  LOCK_LOG,
  LOCK_PARTITIONS,
  MOVE_LOG,
  READ_LATEST,
  WRITE_CHANGES,
  WRITE_REFRESHES,
  WRITE_REFUSALS,
} from './commit-statements';
import { encodeProposal } from './proposal-codec';

export interface CommitContext {
  readonly clock: Clock;
  readonly partitions: number;
}

/**
 * The one transaction that changes the store. In this order, always: lock the log partitions, check that they stand where
 * the batch starts, lock the store partitions, read, decide, write, move the log.
 */
export async function commitBatch(
  client: PoolClient,
  batch: WriteBatch,
  context: CommitContext,
): Promise<WriteSet> {
  const stored = await lockLog(client, batch.ranges);
  const snapshot = await readSnapshot(client, batch.reads, context);
  const writes = batch.decide(snapshot);
  await writeChanges(client, writes.changes);
  await writeRefreshes(client, writes.refreshes);
  await writeRefusals(client, writes.refusals, context.clock.now());
  await moveLog(client, batch.ranges, stored);
  return writes;
}

/** Locks the ranges' partitions; answers those of them whose records lie in the log table. */
async function lockLog(client: PoolClient, ranges: readonly LogRange[]): Promise<readonly LogRange[]> {
  const { rows } = await client.query<{ partition: number; head: number; applied: number }>({
    ...LOCK_LOG,
    values: [ranges.map((range) => range.partition)],
  });
  const byPartition = new Map(rows.map((row) => [row.partition, row]));
  return ranges.filter((range) => {
    const row = byPartition.get(range.partition);
    if (row?.applied !== range.from) throw moved(range, row?.applied);
    const inTable = row.head >= range.to;
    // Records that were never stored may only follow a log that has nothing else to apply.
    if (!inTable && row.head !== row.applied) throw moved(range, row.applied);
    return inTable;
  });
}

function moved(range: LogRange, applied: number | undefined): LogMovedError {
  return new LogMovedError(
    `Log partition ${String(range.partition)} stands at ${String(applied)}, the batch starts after ${String(range.from)}`,
  );
}

async function readSnapshot(
  client: PoolClient,
  reads: readonly AspectRef[],
  context: CommitContext,
): Promise<WriteSnapshot> {
  const ownPartitionOf = (urn: string): number => partitionOf(urn, context.partitions);
  const partitions = [...new Set(reads.map((ref) => ownPartitionOf(ref.urn)))];
  const counters = await client.query<{ partition: number; seq: number; stamp_ms: number }>({
    ...LOCK_PARTITIONS,
    values: [partitions],
  });
  const now = context.clock.now();
  const { rows } = await client.query<LatestRow & { n: number; seq: number | null }>({
    ...READ_LATEST,
    values: [reads.map((ref) => ref.urn), reads.map((ref) => ref.aspectName)],
  });
  const entitySeqs = new Map<string, number>();
  const aspects = new Map<string, StoredAspect>();
  for (const row of rows) {
    const ref = reads[row.n - 1];
    if (ref === undefined || row.seq === null) continue;
    entitySeqs.set(ref.urn, row.seq);
    if ((row.version as number | null) !== null) aspects.set(keyOf(ref), storedAspectOf(ref.aspectName, row));
  }
  return {
    seqs: new Map(counters.rows.map((row) => [row.partition, row.seq])),
    stamps: new Map(counters.rows.map((row) => [row.partition, Math.max(now, row.stamp_ms)])),
    partitionOf: ownPartitionOf,
    entitySeq: (urn) => entitySeqs.get(urn),
    aspect: (ref) => aspects.get(keyOf(ref)),
  };
}

/** Neither urns nor aspect names hold a line break. */
function keyOf(ref: AspectRef): string {
  return `${ref.urn}\n${ref.aspectName}`;
}

async function writeChanges(client: PoolClient, changes: readonly ChangeRecord[]): Promise<void> {
  if (changes.length === 0) return;
  const lastOfAspect = new Map(changes.map((change) => [keyOf(change), change]));
  const lastOfUrn = new Map(changes.map((change) => [change.urn, change]));
  await client.query({
    ...WRITE_CHANGES,
    values: [
      changes.map((change) => change.partition),
      changes.map((change) => change.seq),
      changes.map((change) => change.urn),
      changes.map((change) => change.aspectName),
      changes.map((change) => change.version),
      changes.map((change) => change.value),
      changes.map((change) => stringifyJson(change.systemMetadata)),
      changes.map((change) => change.created.time),
      changes.map((change) => change.created.actor),
      changes.map((change) => lastOfAspect.get(keyOf(change)) === change),
      changes.map((change) => lastOfUrn.get(change.urn) === change),
    ],
  });
}

async function writeRefreshes(client: PoolClient, refreshes: readonly Refresh[]): Promise<void> {
  if (refreshes.length === 0) return;
  await client.query({
    ...WRITE_REFRESHES,
    values: [
      refreshes.map((refresh) => refresh.urn),
      refreshes.map((refresh) => refresh.aspectName),
      refreshes.map((refresh) => stringifyJson(refresh.observed)),
    ],
  });
}

async function writeRefusals(client: PoolClient, refusals: readonly Refusal[], now: number): Promise<void> {
  if (refusals.length === 0) return;
  await client.query({
    ...WRITE_REFUSALS,
    values: [
      refusals.map((refusal) => refusal.position.partition),
      refusals.map((refusal) => refusal.position.offset),
      refusals.map((refusal) => refusal.reason.replaceAll('\u0000', '\ufffd')),
      refusals.map(({ content }) => ('proposal' in content ? encodeProposal(content.proposal) : null)),
      refusals.map(({ content }) => ('bytes' in content ? Buffer.from(content.bytes) : null)),
      refusals.map(() => now),
    ],
  });
}

async function moveLog(
  client: PoolClient,
  ranges: readonly LogRange[],
  stored: readonly LogRange[],
): Promise<void> {
  const arrays = (some: readonly LogRange[]): unknown[] => [
    some.map((r) => r.partition),
    some.map((r) => r.to),
  ];
  await client.query({ ...MOVE_LOG, values: arrays(ranges) });
  if (stored.length > 0) await client.query({ ...DROP_APPLIED, values: arrays(stored) });
}

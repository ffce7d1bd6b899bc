import { OffsetConflictError, aspectKey, partitionOf, runOf } from '@stratalog/domain';
import { forEachInSteps, stringifyJson, type Steps } from '@stratalog/json';
import { inSlices } from '@stratalog/concurrency';
import type {
  EntityDeletion,
  LogRange,
  NewChange,
  Refresh,
  WriteBatch,
  WriteSet,
  WriteSnapshot,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import { bigintArray, textArray } from '../database/binary-arrays';
import {
  DROP_APPLIED,
  ERASE_VALUES,
  MOVE_AHEAD,
  MOVE_LOG,
  REMOVE_LATEST,
  WRITE_CHANGES,
  WRITE_REFRESHES,
} from './commit-statements';
import { LOCK_LOG, type LockedLog } from '../proposal-log/proposal-table';
import { TRUNCATE_OLD, truncationParameters } from './truncate-statement';
import { pipelined } from '../database/pipelined';
import { deleteTimeseries, writeTimeseries } from '../timeseries/timeseries-rows';
import { writeRejections, writeReplays } from '../proposal-log/commit-letters';
import { readSnapshot, type CommitContext } from './write-snapshot';

/**
 * Runs the one transaction that changes the store.
 *
 * It always works in this order: lock the log partitions, lock the store partitions, read, check that each log
 * partition stands at the start of the batch, decide, write, move the log.
 *
 * Statements that need no answer from each other are sent together. A commit takes two round trips, more if it deletes
 * timeseries values. When a statement fails, those sent after it fail too, and the `commit` among them only
 * ends the transaction. Any other failure leaves the transaction open; the owner of the connection rolls it back.
 */
export async function commitBatch(
  client: PoolClient,
  batch: WriteBatch,
  context: CommitContext,
): Promise<WriteSet> {
  // Before the stamps of the batch: what it writes after a rejection is never older than the dead letter.
  const rejectedMs = context.clock.now();
  const [, log, snapshot] = await pipelined([
    client.query('begin'),
    client.query<LockedLog>({ ...LOCK_LOG, values: [batch.ranges.map((range) => range.partition)] }),
    readSnapshot(client, batch, context),
  ]);
  const stored = checkOffsets(batch.ranges, log.rows);
  const writes = await decideInTransaction(client, batch, snapshot);
  await deleteTimeseries(client, writes);
  const last = await writeChanges(client, writes);
  await pipelined([
    ...last,
    ...purgeOldVersions(client, writes, context),
    ...writeTimeseries(client, writes),
    ...writeRefreshes(client, writes.refreshes),
    ...writeRejections(client, writes.rejections, rejectedMs),
    ...writeReplays(client, writes.replays),
    ...moveLog(client, writes.ranges ?? batch.ranges, stored),
    client.query('commit'),
  ]);
  return writes;
}

/** A decision that takes longer raises the idle limit. The connection's own limit is ten times as long. */
const LONG_DECISION_MS = 500;

/**
 * Runs the decision. The server ends a transaction whose process has stopped, by its idle limit; it must not end one
 * whose process decides for long, because each retry would take as long.
 */
async function decideInTransaction(
  client: PoolClient,
  { decide }: WriteBatch,
  snapshot: WriteSnapshot,
): Promise<WriteSet> {
  const timer = setTimeout(() => {
    // A failure here ends the transaction too, so the next statement reports it.
    client.query('set local idle_in_transaction_session_timeout = 60000').catch(() => undefined);
  }, LONG_DECISION_MS);
  try {
    return await decide(snapshot);
  } finally {
    clearTimeout(timer);
  }
}

/** Checks that every range starts at the stored offset of a partition that is not stopped; returns the partitions whose records lie in the log table. */
function checkOffsets(ranges: readonly LogRange[], rows: readonly LockedLog[]): ReadonlySet<number> {
  const byPartition = new Map(rows.map((row) => [row.partition, row]));
  const stored = ranges.filter((range) => {
    const row = byPartition.get(range.partition);
    if (row?.committedOffset !== range.from) {
      throw offsetConflict(
        range,
        `stands at ${String(row?.committedOffset)}, the batch starts after ${String(range.from)}`,
      );
    }
    if (!isAhead(row, range))
      throw offsetConflict(range, 'has other records that are applied ahead than the batch starts with');
    if (row.stopReason !== null) throw offsetConflict(range, `is stopped: ${row.stopReason}`);
    const inTable = range.unlogged !== true && row.endOffset >= range.to;
    // The offsets of these records would collide with rows that another process logged, and those rows would be
    // skipped.
    if (!inTable && row.endOffset !== (range.passing ?? row.committedOffset)) {
      throw offsetConflict(range, `has rows up to ${String(row.endOffset)} that come before the batch`);
    }
    return inTable;
  });
  return new Set(stored.map(({ partition }) => partition));
}

/** Two writers may start at the same offset, of which one has applied records ahead of others since. */
function isAhead({ ahead, committedOffset }: LockedLog, range: LogRange): boolean {
  const stored = ahead.map(Number).filter((offset) => offset > committedOffset);
  const { before = [] } = range.ahead ?? {};
  return stored.length === before.length && stored.every((offset, at) => offset === before[at]);
}

function offsetConflict({ partition }: LogRange, how: string): OffsetConflictError {
  return new OffsetConflictError(`Log partition ${String(partition)} ${how}`);
}

/** Maximum number of changes per statement. Building and sending more at once would block the event loop. */
const CHANGES_AT_ONCE = 1_000;

/** Writes the changes, and returns the last of their statements, with which others may be sent. Normally there is one. */
async function writeChanges(
  client: PoolClient,
  { changes, deletions }: WriteSet,
): Promise<readonly Promise<unknown>[]> {
  if (changes.length === 0) return [];
  const last = await inSlices(findLast(changes, deletions));
  const chunks = chunk(changes, CHANGES_AT_ONCE);
  let sent = removeLatest(client, changes);
  for (const [at, run] of chunks.entries()) {
    if (at > 0) await pipelined(sent);
    sent = [...(at === 0 ? sent : []), writeChunk(client, run, last)];
  }
  if (deletions.length === 0) return sent;
  await pipelined(sent);
  await eraseValues(client, deletions);
  return [];
}

/** The changes of a batch that leave something behind. */
interface LastChanges {
  readonly ofAspects: ReadonlyMap<string, NewChange>;
  readonly ofUrns: ReadonlyMap<string, NewChange>;
  /** The last `seq` of each deleted entity. */
  readonly ofDeletions: ReadonlyMap<string, number>;
}

function* findLast(changes: readonly NewChange[], deletions: readonly EntityDeletion[]): Steps<LastChanges> {
  const ofAspects = new Map<string, NewChange>();
  const ofUrns = new Map<string, NewChange>();
  yield* forEachInSteps(changes, (change) => {
    if (change.kind === 'timeseries') return;
    ofUrns.set(change.urn, change);
    if (change.kind !== 'restate') ofAspects.set(aspectKey(change), change);
  });
  return { ofAspects, ofUrns, ofDeletions: new Map(deletions.map(({ urn, seq }) => [urn, seq])) };
}

function writeChunk(
  client: PoolClient,
  run: readonly NewChange[],
  { ofAspects, ofUrns, ofDeletions }: LastChanges,
): Promise<unknown> {
  return client.query({
    ...WRITE_CHANGES,
    values: [
      run.map((change) => change.partition),
      bigintArray(run.map((change) => change.seq)),
      textArray(run.map((change) => change.urn)),
      textArray(run.map((change) => change.aspectName)),
      bigintArray(run.map((change) => change.version)),
      textArray(run.map((change) => change.value ?? null)),
      textArray(
        run.map(({ kind, systemMetadata }) => (kind === 'timeseries' ? '{}' : stringifyJson(systemMetadata))),
      ),
      bigintArray(run.map((change) => change.created.time)),
      textArray(run.map((change) => change.created.actor)),
      run.map((change) => change.kind === 'upsert' && ofAspects.get(aspectKey(change)) === change),
      run.map((change) => ofUrns.get(change.urn) === change),
      textArray(run.map((change) => change.kind)),
      run.map((change) => ofDeletions.get(change.urn) === change.seq),
      bigintArray(run.map((change) => change.aspectCreated?.time ?? 0)),
      textArray(run.map((change) => change.aspectCreated?.actor ?? null)),
      textArray(run.map(({ systemMetadata }) => runOf(systemMetadata) ?? null)),
    ],
  });
}

function chunk<T>(all: readonly T[], length: number): readonly (readonly T[])[] {
  if (all.length <= length) return [all];
  return Array.from({ length: Math.ceil(all.length / length) }, (_, at) =>
    all.slice(at * length, (at + 1) * length),
  );
}

/** Runs before the writes, because an aspect that is created again in the same batch is a new row. */
function removeLatest(client: PoolClient, changes: readonly NewChange[]): Promise<unknown>[] {
  const gone = changes.filter(({ kind }) => kind === 'delete');
  if (gone.length === 0) return [];
  const values = [gone.map(({ urn }) => urn), gone.map(({ aspectName }) => aspectName)];
  return [client.query({ ...REMOVE_LATEST, values })];
}

/** Number of versions per statement. Values of a megabyte take some seconds, far below the limit of a statement. */
const ERASED_AT_ONCE = 1_000;

interface ErasedRow {
  readonly urn: string;
  readonly upto: number;
  readonly aspect: string;
  readonly version: number;
  readonly visited: number;
}

/** Erases all values of some entities, slice by slice: an entity may have any number of versions. */
async function eraseValues(client: PoolClient, deletions: readonly EntityDeletion[]): Promise<void> {
  let left: readonly Omit<ErasedRow, 'visited'>[] = deletions.map(({ urn, seq }) => ({
    urn,
    upto: seq,
    aspect: '',
    version: 0,
  }));
  while (left.length > 0) {
    const limit = Math.ceil(ERASED_AT_ONCE / left.length);
    const { rows } = await client.query<ErasedRow>({
      ...ERASE_VALUES,
      values: [
        textArray(left.map(({ urn }) => urn)),
        bigintArray(left.map(({ upto }) => upto)),
        textArray(left.map(({ aspect }) => aspect)),
        bigintArray(left.map(({ version }) => version)),
        limit,
      ],
    });
    left = rows.filter(({ visited }) => visited >= limit);
  }
}

/**
 * Maximum number of old versions that a commit purges, besides one per change. A normal write expires one version;
 * larger batches, pauses and policy changes leave more.
 */
const OLD_VERSIONS_PER_COMMIT = 16;

function purgeOldVersions(
  client: PoolClient,
  { truncations = [], changes }: WriteSet,
  { clock, partitions, isPublished }: CommitContext,
): Promise<unknown>[] {
  if (truncations.length === 0) return [];
  const values = truncationParameters(truncations, {
    partitionOf: (urn) => partitionOf(urn, partitions),
    limit: OLD_VERSIONS_PER_COMMIT + changes.length,
    isPublished,
    nowMs: clock.now(),
  });
  return [client.query({ ...TRUNCATE_OLD, values })];
}

function writeRefreshes(client: PoolClient, refreshes: readonly Refresh[]): Promise<unknown>[] {
  if (refreshes.length === 0) return [];
  return [
    client.query({
      ...WRITE_REFRESHES,
      values: [
        refreshes.map((refresh) => refresh.urn),
        refreshes.map((refresh) => refresh.aspectName),
        refreshes.map((refresh) => stringifyJson(refresh.observed)),
      ],
    }),
  ];
}

function moveLog(
  client: PoolClient,
  ranges: readonly LogRange[],
  stored: ReadonlySet<number>,
): Promise<unknown>[] {
  const arrays = (some: readonly LogRange[]): unknown[] => [
    some.map((r) => r.partition),
    some.map((r) => r.to),
  ];
  const moved = client.query({ ...MOVE_LOG, values: arrays(ranges) });
  const applied = ranges.filter(({ partition }) => stored.has(partition));
  return [
    moved,
    ...moveAhead(client, ranges),
    ...(applied.length === 0 ? [] : [client.query({ ...DROP_APPLIED, values: arrays(applied) })]),
  ];
}

function moveAhead(client: PoolClient, ranges: readonly LogRange[]): Promise<unknown>[] {
  const changed = ranges.flatMap(({ partition, ahead }) =>
    ahead === undefined || ahead.before.length + ahead.after.length === 0
      ? []
      : [{ partition, after: ahead.after }],
  );
  if (changed.length === 0) return [];
  const after = changed.flatMap(({ partition, after }) =>
    after.map((offset) => [partition, offset] as const),
  );
  const values = [
    changed.map(({ partition }) => partition),
    after.map(([partition]) => partition),
    after.map(([, offset]) => offset),
  ];
  return [client.query({ ...MOVE_AHEAD, values })];
}

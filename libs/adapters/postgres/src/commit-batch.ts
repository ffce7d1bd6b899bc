import { createHash } from 'node:crypto';
import { LogMovedError, aspectKey, partitionOf, stringifyJson, type ChangeRecord } from '@stratalog/model';
import type {
  Clock,
  LatestAspect,
  LogRange,
  Look,
  Refresh,
  Refusal,
  WriteBatch,
  WriteSet,
  WriteSnapshot,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import { storedAspectOf, type LatestRow } from './aspect-rows';
import { bigintArray, textArray } from './binary-arrays';
import {
  DROP_APPLIED,
  LOCK_LOG,
  LOCK_PARTITIONS,
  LOOK,
  LOOK_ONWARDS,
  MOVE_LOG,
  READ_LATEST,
  WRITE_CHANGES,
  WRITE_REFRESHES,
  WRITE_REFUSALS,
} from './commit-statements';
import type { Statement } from './database';
import { encodeProposal } from './proposal-codec';

export interface CommitContext {
  readonly clock: Clock;
  readonly partitions: number;
}

/**
 * The one transaction that changes the store. In this order, always: lock the log partitions, lock the store partitions, read,
 * check that the log stands where the batch starts, decide, write, move the log.
 *
 * What needs no answer in between is sent in one go: two trips to the server for a commit. Should a statement fail, those
 * sent behind it fail too, and the commit among them only ends the transaction.
 */
export async function commitBatch(
  client: PoolClient,
  batch: WriteBatch,
  context: CommitContext,
): Promise<WriteSet> {
  try {
    const [, log, snapshot] = await inOneGo([
      client.query('begin'),
      client.query<LogRow>({ ...LOCK_LOG, values: [batch.ranges.map((range) => range.partition)] }),
      readSnapshot(client, batch, context),
    ]);
    const stored = storedRanges(batch.ranges, log.rows);
    const writes = batch.decide(snapshot);
    await inOneGo([
      ...writeChanges(client, writes.changes),
      ...writeRefreshes(client, writes.refreshes),
      ...writeRefusals(client, writes.refusals, context.clock.now()),
      ...moveLog(client, batch.ranges, stored),
      client.query('commit'),
    ]);
    return writes;
  } catch (error) {
    // A broken connection cannot roll back; the server does so when it notices.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Waits for all, then fails with the first failure: those behind it only say that the transaction is over. */
async function inOneGo<T extends readonly Promise<unknown>[] | []>(
  sent: T,
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(sent);
  return Promise.all(sent);
}

interface LogRow {
  readonly partition: number;
  readonly head: number;
  readonly applied: number;
}

/** Checks that every range starts where its partition stands; answers those whose records lie in the log table. */
function storedRanges(ranges: readonly LogRange[], rows: readonly LogRow[]): readonly LogRange[] {
  const byPartition = new Map(rows.map((row) => [row.partition, row]));
  return ranges.filter((range) => {
    const row = byPartition.get(range.partition);
    if (row?.applied !== range.from) {
      throw moved(range, `stands at ${String(row?.applied)}, the batch starts after ${String(range.from)}`);
    }
    const inTable = row.head >= range.to;
    // Their offsets would be those of rows that somebody else has logged meanwhile, and those rows would be passed over.
    if ((range.unlogged === true || !inTable) && row.head !== row.applied) {
      throw moved(range, `has rows up to ${String(row.head)} that come before the batch`);
    }
    return inTable;
  });
}

function moved({ partition }: LogRange, how: string): LogMovedError {
  return new LogMovedError(`Log partition ${String(partition)} ${how}`);
}

async function readSnapshot(
  client: PoolClient,
  { reads, looks = [] }: Pick<WriteBatch, 'reads' | 'looks'>,
  context: CommitContext,
): Promise<WriteSnapshot> {
  const ownPartitionOf = (urn: string): number => partitionOf(urn, context.partitions);
  const partitions = [...new Set(reads.map((ref) => ownPartitionOf(ref.urn)))];
  const [counters, latest, looked] = await inOneGo([
    client.query<CounterRow>({ ...LOCK_PARTITIONS, values: [partitions] }),
    client.query<ComparedRow>({
      ...READ_LATEST,
      values: [textArray(reads.map((ref) => ref.urn)), textArray(reads.map((ref) => ref.aspectName))],
    }),
    lookAt(client, looks),
  ]);
  // The clock is read under the locks, so that no later batch of these partitions can have an earlier stamp.
  const now = context.clock.now();
  const entitySeqs = new Map<string, number>();
  const aspects = new Map<string, LatestAspect>();
  for (const row of latest.rows) {
    const ref = reads[row.n - 1];
    if (ref === undefined) continue;
    entitySeqs.set(ref.urn, row.seq);
    if (row.version !== null) aspects.set(aspectKey(ref), latestOf(row));
  }
  return {
    seqs: new Map(counters.rows.map((row) => [row.partition, row.seq])),
    stamps: new Map(counters.rows.map((row) => [row.partition, Math.max(now, row.stamp_ms)])),
    partitionOf: ownPartitionOf,
    entitySeq: (urn) => entitySeqs.get(urn),
    aspect: (ref) => aspects.get(aspectKey(ref)),
    looked: (ref) => looked.get(aspectKey(ref)),
  };
}

/** Values by the key of their aspect. */
async function lookAt(client: PoolClient, looks: readonly Look[]): Promise<ReadonlyMap<string, string>> {
  const answers = await inOneGo([
    ...look(
      client,
      LOOK,
      looks.filter(({ onwards }) => onwards === undefined),
    ),
    ...look(
      client,
      LOOK_ONWARDS,
      looks.filter(({ onwards }) => onwards !== undefined),
    ),
  ]);
  const rows = answers.flatMap((answer) => answer.rows);
  return new Map(rows.map(({ urn, aspect, value }) => [aspectKey({ urn, aspectName: aspect }), value]));
}

function look(client: PoolClient, statement: Statement, looks: readonly Look[]) {
  if (looks.length === 0) return [];
  const refs = looks.map(({ urn, aspectName: aspect, onwards }) => ({ urn, aspect, onwards }));
  return [client.query<AspectRow>({ ...statement, values: [stringifyJson(refs)] })];
}

interface AspectRow {
  readonly urn: string;
  readonly aspect: string;
  readonly value: string;
}

/** A reference of the batch whose entity exists; the aspect's columns are null when it has no such aspect. */
type ComparedRow = { readonly n: number; readonly seq: number } & (
  | { readonly version: null }
  | (Omit<LatestRow, 'value'> & { readonly value: string | null; readonly digest: string | null })
);

function latestOf(row: Exclude<ComparedRow, { version: null }>): LatestAspect {
  const { value, digest } = row;
  const { version, created, systemMetadata, observed } = storedAspectOf('', { ...row, value: '' });
  return {
    version,
    created,
    systemMetadata,
    observed,
    isValue: (text) => (value === null ? digest === sha256Of(text) : value === text),
  };
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

interface CounterRow {
  readonly partition: number;
  readonly seq: number;
  readonly stamp_ms: number;
}

function writeChanges(client: PoolClient, changes: readonly ChangeRecord[]): Promise<unknown>[] {
  if (changes.length === 0) return [];
  const lastOfAspect = new Map(changes.map((change) => [aspectKey(change), change]));
  const lastOfUrn = new Map(changes.map((change) => [change.urn, change]));
  return [
    client.query({
      ...WRITE_CHANGES,
      values: [
        changes.map((change) => change.partition),
        bigintArray(changes.map((change) => change.seq)),
        textArray(changes.map((change) => change.urn)),
        textArray(changes.map((change) => change.aspectName)),
        bigintArray(changes.map((change) => change.version)),
        textArray(changes.map((change) => change.value)),
        textArray(changes.map((change) => stringifyJson(change.systemMetadata))),
        bigintArray(changes.map((change) => change.created.time)),
        textArray(changes.map((change) => change.created.actor)),
        changes.map((change) => lastOfAspect.get(aspectKey(change)) === change),
        changes.map((change) => lastOfUrn.get(change.urn) === change),
      ],
    }),
  ];
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

function writeRefusals(client: PoolClient, refusals: readonly Refusal[], now: number): Promise<unknown>[] {
  if (refusals.length === 0) return [];
  return [
    client.query({
      ...WRITE_REFUSALS,
      values: [
        refusals.map((refusal) => refusal.position.partition),
        refusals.map((refusal) => refusal.position.offset),
        refusals.map((refusal) => refusal.reason.replaceAll('\u0000', '\ufffd')),
        refusals.map(({ content }) => ('proposal' in content ? encodeProposal(content.proposal) : null)),
        refusals.map(({ content }) => ('bytes' in content ? Buffer.from(content.bytes) : null)),
        refusals.map(() => now),
        refusals.map(({ code }) => code ?? null),
      ],
    }),
  ];
}

function moveLog(
  client: PoolClient,
  ranges: readonly LogRange[],
  stored: readonly LogRange[],
): Promise<unknown>[] {
  const arrays = (some: readonly LogRange[]): unknown[] => [
    some.map((r) => r.partition),
    some.map((r) => r.to),
  ];
  const moved = client.query({ ...MOVE_LOG, values: arrays(ranges) });
  return stored.length === 0 ? [moved] : [moved, client.query({ ...DROP_APPLIED, values: arrays(stored) })];
}

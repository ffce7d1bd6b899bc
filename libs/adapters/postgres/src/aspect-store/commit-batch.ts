import { OffsetConflictError, aspectKey, partitionOf, runOf, stringifyJson } from '@stratalog/model';
import type {
  EntityDeletion,
  LogRange,
  NewChange,
  Refresh,
  Rejection,
  WriteBatch,
  WriteSet,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import { bigintArray, textArray } from '../database/binary-arrays';
import type { CommitContext } from './commit-context';
import {
  DROP_APPLIED,
  ERASE_VALUES,
  MOVE_LOG,
  REMOVE_LATEST,
  WRITE_CHANGES,
  WRITE_REFRESHES,
  WRITE_REJECTIONS,
} from './commit-statements';
import { LOCK_LOG } from '../proposal-log/lock-log';
import { TRUNCATE_OLD, truncationParameters } from './truncate-statement';
import { inOneGo } from '../database/in-one-go';
import { deleteTimeseries, writeTimeseries } from '../timeseries/timeseries-rows';
import { encodeProposal } from '../proposal-log/proposal-codec';
import { readSnapshot } from './write-snapshot';

/**
 * The one transaction that changes the store. In this order, always: lock the log partitions, lock the store partitions, read,
 * check that the log stands where the batch starts, decide, write, move the log.
 *
 * What needs no answer in between is sent in one go: two trips to the server for a commit, unless it takes points away or is heavy. Should a statement fail, those
 * sent behind it fail too, and the commit among them only ends the transaction. Whatever else fails leaves it open, for who gave us the
 * connection to roll back.
 */
export async function commitBatch(
  client: PoolClient,
  batch: WriteBatch,
  context: CommitContext,
): Promise<WriteSet> {
  const [, log, snapshot] = await inOneGo([
    client.query('begin'),
    client.query<LogRow>({ ...LOCK_LOG, values: [batch.ranges.map((range) => range.partition)] }),
    readSnapshot(client, batch, context),
  ]);
  const stored = storedIn(batch.ranges, log.rows);
  if (batch.isHeavy?.(snapshot) === true) await client.query(BE_PATIENT);
  const writes = await batch.decide(snapshot);
  await deleteTimeseries(client, writes);
  const changes = changeStatements(client, writes);
  for (const write of changes.slice(0, -1)) await inOneGo(write());
  await inOneGo([
    ...(changes.at(-1)?.() ?? []),
    ...eraseOld(client, writes, context),
    ...writeTimeseries(client, writes),
    ...writeRefreshes(client, writes.refreshes),
    ...writeRejections(client, writes.rejections, context.clock.now()),
    ...moveLog(client, writes.ranges ?? batch.ranges, stored),
    client.query('commit'),
  ]);
  return writes;
}

/** For a decision that keeps the process busy: the server would take it for one that sleeps, and end a transaction that succeeds next time neither. */
const BE_PATIENT = 'set local idle_in_transaction_session_timeout = 60000';

interface LogRow {
  readonly partition: number;
  readonly head: number;
  readonly applied: number;
}

/** Checks that every range starts where its partition stands; answers the partitions whose records lie in the log table. */
function storedIn(ranges: readonly LogRange[], rows: readonly LogRow[]): ReadonlySet<number> {
  const byPartition = new Map(rows.map((row) => [row.partition, row]));
  const stored = ranges.filter((range) => {
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
  return new Set(stored.map(({ partition }) => partition));
}

function moved({ partition }: LogRange, how: string): OffsetConflictError {
  return new OffsetConflictError(`Log partition ${String(partition)} ${how}`);
}

/** More changes are sent in several statements, one after the other: to make and send them at once would keep the process busy. */
const CHANGES_AT_ONCE = 2_000;

/** What writes the changes, to be sent in order. Nearly always it is one. */
function changeStatements(
  client: PoolClient,
  { changes, deletions }: WriteSet,
): readonly (() => Promise<unknown>[])[] {
  if (changes.length === 0) return [];
  const ofAspects = changes.filter(({ kind }) => kind !== 'timeseries');
  const numbered = ofAspects.filter(({ kind }) => kind !== 'restate');
  const lastOfAspect = new Map(numbered.map((change) => [aspectKey(change), change]));
  const lastOfUrn = new Map(ofAspects.map((change) => [change.urn, change]));
  const deletionSeqs = new Map(deletions.map(({ urn, seq }) => [urn, seq]));
  const write = (run: readonly NewChange[]): Promise<unknown> =>
    client.query({
      ...WRITE_CHANGES,
      values: [
        run.map((change) => change.partition),
        bigintArray(run.map((change) => change.seq)),
        textArray(run.map((change) => change.urn)),
        textArray(run.map((change) => change.aspectName)),
        bigintArray(run.map((change) => change.version)),
        textArray(run.map((change) => change.value ?? null)),
        textArray(
          run.map(({ kind, systemMetadata }) =>
            kind === 'timeseries' ? '{}' : stringifyJson(systemMetadata),
          ),
        ),
        bigintArray(run.map((change) => change.created.time)),
        textArray(run.map((change) => change.created.actor)),
        run.map((change) => change.kind === 'upsert' && lastOfAspect.get(aspectKey(change)) === change),
        run.map((change) => lastOfUrn.get(change.urn) === change),
        textArray(run.map((change) => change.kind)),
        run.map((change) => deletionSeqs.get(change.urn) === change.seq),
        bigintArray(run.map((change) => change.aspectCreated?.time ?? 0)),
        textArray(run.map((change) => change.aspectCreated?.actor ?? null)),
        textArray(run.map(({ systemMetadata }) => runOf(systemMetadata) ?? null)),
      ],
    });
  const runs = runsOf(changes, CHANGES_AT_ONCE);
  return runs.map((run, at) => () => [
    ...(at === 0 ? removeLatest(client, numbered) : []),
    write(run),
    ...(at === runs.length - 1 ? eraseValues(client, deletions) : []),
  ]);
}

function runsOf<T>(all: readonly T[], length: number): readonly (readonly T[])[] {
  if (all.length <= length) return [all];
  return Array.from({ length: Math.ceil(all.length / length) }, (_, at) =>
    all.slice(at * length, (at + 1) * length),
  );
}

/** Before anything new is written: an aspect that comes back within the same batch is a new row. */
function removeLatest(client: PoolClient, changes: readonly NewChange[]): Promise<unknown>[] {
  const gone = changes.filter(({ kind }) => kind === 'delete');
  if (gone.length === 0) return [];
  const values = [gone.map(({ urn }) => urn), gone.map(({ aspectName }) => aspectName)];
  return [client.query({ ...REMOVE_LATEST, values })];
}

function eraseValues(client: PoolClient, deletions: readonly EntityDeletion[]): Promise<unknown>[] {
  if (deletions.length === 0) return [];
  const values = [deletions.map(({ urn }) => urn), deletions.map(({ seq }) => seq)];
  return [client.query({ ...ERASE_VALUES, values })];
}

/** One version falls out of a history with each that comes; the others were left by a batch, a pause or another policy. */
const OLD_VERSIONS_PER_COMMIT = 16;

function eraseOld(
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

function writeRejections(
  client: PoolClient,
  rejections: readonly Rejection[],
  now: number,
): Promise<unknown>[] {
  if (rejections.length === 0) return [];
  return [
    client.query({
      ...WRITE_REJECTIONS,
      values: [
        rejections.map((rejection) => rejection.position.partition),
        rejections.map((rejection) => rejection.position.offset),
        rejections.map((rejection) => rejection.reason.replaceAll('\u0000', '\ufffd')),
        rejections.map(({ content }) => ('proposal' in content ? encodeProposal(content.proposal) : null)),
        rejections.map(({ content }) => ('bytes' in content ? Buffer.from(content.bytes) : null)),
        rejections.map(() => now),
        rejections.map(({ code }) => code ?? null),
      ],
    }),
  ];
}

function moveLog(
  client: PoolClient,
  ranges: readonly LogRange[],
  storedIn: ReadonlySet<number>,
): Promise<unknown>[] {
  const arrays = (some: readonly LogRange[]): unknown[] => [
    some.map((r) => r.partition),
    some.map((r) => r.to),
  ];
  const moved = client.query({ ...MOVE_LOG, values: arrays(ranges) });
  const stored = ranges.filter(({ partition }) => storedIn.has(partition));
  return stored.length === 0 ? [moved] : [moved, client.query({ ...DROP_APPLIED, values: arrays(stored) })];
}

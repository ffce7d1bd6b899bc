import { UnavailableError, aspectKey, partitionOf, type SystemMetadata } from '@stratalog/domain';
import { parseJson, stringifyJson } from '@stratalog/json';
import type {
  AspectRead,
  AspectRef,
  AspectsOfEntities,
  Clock,
  EntityState,
  LatestAspect,
  ReferenceLookup,
  WriteBatch,
  WriteSnapshot,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { LatestRow } from './aspect-rows';
import { textArray } from '../database/binary-arrays';
import {
  LOCK_PARTITIONS,
  READ_INCOMPLETE,
  READ_REFERENCES,
  FOLLOW_REFERENCES,
  READ_LATEST,
  READ_WHOLE,
} from './commit-statements';
import type { Statement } from '../database/database';
import { pipelined } from '../database/pipelined';
import { lockLetters } from '../proposal-log/commit-letters';
import { compareTimeseries } from '../timeseries/timeseries-rows';
import { hashSha256 } from '../database/hash-sha256';

/** The settings of a store that every commit needs. */
export interface CommitContext {
  readonly clock: Clock;
  readonly partitions: number;
  /** True when a relay publishes the changes. */
  readonly isPublished: boolean;
}

/**
 * Locks the store partitions of the batch and reads its aspects, sent together.
 *
 * It takes further round trips only when an entity is deleted, or lacks a default aspect: if the entity or the aspect is created
 * again, each aspect continues from its last version number.
 *
 * **Errors**: `UnavailableError` while the clock is implausible, because a stamp cannot be taken back.
 */
export async function readSnapshot(
  client: PoolClient,
  {
    reads,
    defaults = [],
    wholes = [],
    timeseriesValues = [],
    timeseriesRanges = [],
    referenceLookups = [],
    letters = [],
  }: Omit<WriteBatch, 'ranges' | 'decide'>,
  context: CommitContext,
): Promise<WriteSnapshot> {
  const partitionByUrn = memoizePartitions(context.partitions);
  const partitions = [...new Set(reads.map((ref) => partitionByUrn(ref.urn)))];
  const [counters, latest, references, whole, incomplete, stored, openLetters] = await pipelined([
    client.query<CounterRow>({ ...LOCK_PARTITIONS, values: [partitions] }),
    readLatest(client, reads),
    followReferences(client, referenceLookups),
    readWholes(client, wholes),
    readIncomplete(client, defaults),
    compareTimeseries(client, timeseriesValues, timeseriesRanges),
    lockLetters(client, letters),
  ]);
  const read = new ReadAspects();
  read.addLatest(reads, latest);
  read.addWholes(whole);
  const lacking = incomplete.filter(({ urn }) => read.entities.get(urn)?.deleted === false);
  if (lacking.length > 0) read.addLatest(lacking, await readLatest(client, lacking));
  const lacks = new Set(lacking.map(aspectKey).filter((key) => !read.aspects.has(key)));
  read.addWholes(await readWholes(client, read.deletedUrns));
  // The clock is read under the locks, so that no later batch of these partitions can have an earlier stamp.
  const doubt = context.clock.doubt?.(Math.max(0, ...counters.rows.map((row) => row.stamp_ms)));
  if (doubt !== undefined) throw new UnavailableError(`Writes are rejected: ${doubt}`);
  const now = context.clock.now();
  return {
    seqs: new Map(counters.rows.map((row) => [row.partition, row.seq])),
    stamps: new Map(counters.rows.map((row) => [row.partition, Math.max(now, row.stamp_ms)])),
    partitionOf: partitionByUrn,
    entity: (urn) => read.entities.get(urn),
    aspect: (ref) => read.aspects.get(aspectKey(ref)),
    lastVersion: (ref) => read.lastVersions.get(aspectKey(ref)) ?? 0,
    isMissing: (ref) =>
      read.entities.get(ref.urn)?.deleted !== false || (lacks.size > 0 && lacks.has(aspectKey(ref))),
    aspectNames: (urn) => read.names.get(urn) ?? [],
    ...stored,
    referenceValue: (ref) => references.get(aspectKey(ref)),
    openLetters,
  };
}

/** Hashes each urn once, however often its partition is needed. */
function memoizePartitions(partitions: number): (urn: string) => number {
  const known = new Map<string, number>();
  return (urn) => {
    let partition = known.get(urn);
    if (partition === undefined) known.set(urn, (partition = partitionOf(urn, partitions)));
    return partition;
  };
}

/** Collects the aspects that were read for a batch. */
class ReadAspects {
  readonly entities = new Map<string, EntityState>();
  readonly aspects = new Map<string, LatestAspect>();
  readonly lastVersions = new Map<string, number>();
  readonly names = new Map<string, string[]>();
  private readonly metadata = new Map<string, SystemMetadata>();

  get deletedUrns(): readonly string[] {
    return [...this.entities].flatMap(([urn, { deleted }]) => (deleted ? [urn] : []));
  }

  addLatest(reads: readonly AspectRead[], rows: readonly ComparedRow[]): void {
    for (const row of rows) {
      const ref = reads[row.n - 1];
      if (ref !== undefined) this.add(ref.urn, ref.aspectName, row);
    }
  }

  private add(urn: string, aspectName: string, row: ComparedRow): void {
    const key = aspectKey({ urn, aspectName });
    this.entities.set(urn, { seq: row.seq, deleted: row.deleted });
    if (row.version !== null) this.aspects.set(key, this.toLatestAspect(row));
    this.lastVersions.set(key, row.version ?? row.last_version ?? 0);
  }

  addWholes(rows: readonly WholeRow[]): void {
    for (const { urn, aspect: aspectName, version, present } of rows) {
      this.lastVersions.set(aspectKey({ urn, aspectName }), version);
      if (present) this.names.set(urn, [...(this.names.get(urn) ?? []), aspectName]);
    }
  }

  private toLatestAspect(row: Exclude<ComparedRow, { version: null }>): LatestAspect {
    const { version, value, digest, created_ms: time, actor } = row;
    return {
      version,
      created: { time, actor },
      aspectCreated: { time: row.aspect_created_ms ?? time, actor: row.aspect_created_by ?? actor },
      systemMetadata: this.toMetadata(row.system_metadata),
      observed: this.toMetadata(row.observed),
      ...(value === null ? {} : { value }),
      isValue: (text) => (value === null ? digest === hashSha256(text) : value === text),
    };
  }

  /** Writes of one run repeat the same metadata, so each text is parsed once. */
  private toMetadata(text: string): SystemMetadata {
    const known = this.metadata.get(text) ?? (parseJson(text) as SystemMetadata);
    this.metadata.set(text, known);
    return known;
  }
}

async function readLatest(client: PoolClient, reads: readonly AspectRead[]): Promise<readonly ComparedRow[]> {
  const values = [
    textArray(reads.map((ref) => ref.urn)),
    textArray(reads.map((ref) => ref.aspectName)),
    reads.map((ref) => ref.whole === true),
  ];
  return (await client.query<ComparedRow>({ ...READ_LATEST, values })).rows;
}

/** Lists the given aspects of those entities that lack any of them. */
async function readIncomplete(
  client: PoolClient,
  defaults: readonly AspectsOfEntities[],
): Promise<readonly AspectRef[]> {
  const found = await pipelined(
    defaults.map(async ({ urns, aspectNames }) => {
      const values = [textArray(urns), aspectNames];
      const { rows } = await client.query<{ readonly urn: string }>({ ...READ_INCOMPLETE, values });
      return rows.flatMap(({ urn }) => aspectNames.map((aspectName) => ({ urn, aspectName })));
    }),
  );
  return found.flat();
}

async function readWholes(client: PoolClient, urns: readonly string[]): Promise<readonly WholeRow[]> {
  if (urns.length === 0) return [];
  return (await client.query<WholeRow>({ ...READ_WHOLE, values: [urns] })).rows;
}

interface WholeRow {
  readonly urn: string;
  readonly aspect: string;
  readonly version: number;
  readonly present: boolean;
}

/** Reads the referenced values, by the key of their aspect. */
async function followReferences(
  client: PoolClient,
  referenceLookups: readonly ReferenceLookup[],
): Promise<ReadonlyMap<string, string>> {
  const answers = await pipelined([
    ...queryReferences(
      client,
      READ_REFERENCES,
      referenceLookups.filter(({ followField }) => followField === undefined),
    ),
    ...queryReferences(
      client,
      FOLLOW_REFERENCES,
      referenceLookups.filter(({ followField }) => followField !== undefined),
    ),
  ]);
  const rows = answers.flatMap((answer) => answer.rows);
  return new Map(rows.map(({ urn, aspect, value }) => [aspectKey({ urn, aspectName: aspect }), value]));
}

function queryReferences(
  client: PoolClient,
  statement: Statement,
  referenceLookups: readonly ReferenceLookup[],
) {
  if (referenceLookups.length === 0) return [];
  const refs = referenceLookups.map(({ urn, aspectName: aspect, followField }) => ({
    urn,
    aspect,
    follow_field: followField,
  }));
  return [client.query<AspectRow>({ ...statement, values: [stringifyJson(refs)] })];
}

interface AspectRow {
  readonly urn: string;
  readonly aspect: string;
  readonly value: string;
}

/** A reference of the batch whose entity exists. The aspect columns are null when the entity has no such aspect. */
type ComparedRow = {
  readonly n: number;
  readonly seq: number;
  readonly deleted: boolean;
  readonly last_version: number | null;
} & (
  | { readonly version: null }
  | (Omit<LatestRow, 'value'> & { readonly value: string | null; readonly digest: string | null })
);

interface CounterRow {
  readonly partition: number;
  readonly seq: number;
  readonly stamp_ms: number;
}

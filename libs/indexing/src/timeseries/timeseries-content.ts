import {
  UnavailableError,
  projectTimeseriesValue,
  timeseriesValueId,
  withoutFields,
  type ChangeKey,
  type PartitionSequences,
  type Steps,
  type TimeseriesEntry,
  type TimeseriesField,
} from '@stratalog/model';
import {
  inSlices,
  type AspectStore,
  type Batch,
  type EntryRange,
  type EntryRef,
  type IndexVersions,
  type SourceValue,
  type TimeseriesIndex,
  type TimeseriesSource,
  type TimeseriesValueRef,
  type WrittenValue,
} from '@stratalog/ports';
import { IndexBuild } from '../index-build';
import type { IndexContent } from '../content/index-content';
import { fillByUrns } from '../index-entities';
import { TimeseriesGuard } from './timeseries-guard';

export interface TimeseriesContentDeps {
  readonly store: AspectStore;
  readonly source: TimeseriesSource;
  readonly indexes: IndexVersions<TimeseriesIndex>;
  /** The timeseries aspects of the model. */
  readonly aspectNames: readonly string[];
  /** The fields of the values of an aspect; `undefined` for one that is no timeseries aspect. */
  readonly fieldsOf: (aspectName: string) => readonly TimeseriesField[] | undefined;
  /** Called for an entity with a value that could not be projected or that the index rejected; its entry has no fields. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
  readonly indexName: string;
  readonly compareEveryMs: number;
  readonly onNotice: (message: string, cause?: unknown) => void;
}

/** Maximum number of values per page of reads and writes. The source cuts a page of large values further. */
const PAGE = 500;
/** Maximum number of entries of a page that deletions compare with the store. */
const COMPARED = 1_000;

/** The content of an index with one entry per timeseries value. */
export function timeseriesContent(deps: TimeseriesContentDeps): IndexContent<TimeseriesIndex> {
  return {
    build: new IndexBuild({
      ...deps,
      fillIndex: async (target, options) => {
        await fillByUrns(deps.store, target, {
          ...options,
          // A page of entities has any number of values, so nothing is read ahead.
          preparePage: ({ after, last }) =>
            Promise.resolve(() => indexRange(deps, target, { afterUrn: after, upToUrn: last })),
        });
        // A value that the index rejects has an entry too.
        return 0;
      },
    }),
    guard: new TimeseriesGuard(deps),
    applyTo: (index) => (batch) => applyChanges(deps, index, batch),
  };
}

/**
 * Brings the entries of an entity up to date with the store, whatever the change log says: writes all, and deletes those
 * without a value.
 */
export async function restoreTimeseries(
  deps: Pick<TimeseriesContentDeps, 'source' | 'fieldsOf' | 'onUnindexable'>,
  index: TimeseriesIndex,
  urn: string,
): Promise<void> {
  await indexRange(deps, index, { urn, upToUrn: urn });
  await index.makeVisible();
  await deleteGone(deps.source, index, { range: { urn, ...toBounds({}) }, seq: 0 });
  await index.makeVisible();
}

/**
 * Applies a batch of the change log: writes the values of its changes as the store has them now, and deletes the entries of
 * deleted values. A value that is replaced later has a change of its own.
 */
async function applyChanges(
  deps: TimeseriesContentDeps,
  index: TimeseriesIndex,
  batch: Batch<ChangeKey>,
): Promise<void> {
  const { written, deletions } = sortChanges(deps, batch);
  for (let left = written; left.length > 0;) {
    const { values, read } = await deps.source.readWritten(left.slice(0, PAGE));
    await writeValues(deps, index, values);
    left = left.slice(Math.max(read, 1));
  }
  if (deletions.length > 0) await index.makeVisible();
  for (const deletion of deletions) await deleteGone(deps.source, index, deletion);
  await index.write([], toPosition(batch));
}

interface Deletion {
  readonly range: EntryRange;
  /** Sequence number of the change. */
  readonly seq: number;
}

interface SortedChanges {
  readonly written: readonly WrittenValue[];
  readonly deletions: readonly Deletion[];
}

function sortChanges({ fieldsOf }: TimeseriesContentDeps, { records }: Batch<ChangeKey>): SortedChanges {
  const written: WrittenValue[] = [];
  const deletions: Deletion[] = [];
  for (const { content } of records) {
    if (content.kind !== 'decoded') continue;
    const { urn, aspectName, version, seq, isTimeseriesValue, timestamps } = content.value;
    const isSeries = fieldsOf(aspectName) !== undefined;
    if (isTimeseriesValue === true) {
      if (isSeries) written.push({ urn, aspectName, timestampMs: version, seq });
    } else if (isSeries || timestamps !== undefined) {
      // The deletion of a whole entity names its key aspect.
      const range = { urn, aspectName: isSeries ? aspectName : undefined, ...toBounds(timestamps ?? {}) };
      deletions.push({ range, seq });
    }
  }
  return { written, deletions };
}

function toBounds({
  startMs = Number.MIN_SAFE_INTEGER,
  endMs = Number.MAX_SAFE_INTEGER,
}: NonNullable<ChangeKey['timestamps']>): Pick<EntryRange, 'startMs' | 'endMs'> {
  return { startMs, endMs };
}

function toPosition({ ranges }: Batch<ChangeKey>): PartitionSequences {
  return new Map(ranges.map(({ partition, to }) => [partition, to]));
}

type WritingDeps = Pick<TimeseriesContentDeps, 'fieldsOf' | 'onUnindexable'>;

/** Writes the values of a range of entities, or of one, page by page. */
async function indexRange(
  deps: WritingDeps & Pick<TimeseriesContentDeps, 'source'>,
  index: TimeseriesIndex,
  range: { readonly afterUrn?: string | undefined; readonly urn?: string; readonly upToUrn: string },
): Promise<void> {
  const { urn, afterUrn, upToUrn } = range;
  let after: TimeseriesValueRef | undefined =
    urn === undefined
      ? undefined
      : { urn, aspectName: '', timestampMs: Number.MIN_SAFE_INTEGER, valueKey: '' };
  for (;;) {
    const values = await deps.source.readRange({ afterUrn, upToUrn, after, limit: PAGE });
    after = values.at(-1);
    if (after === undefined) return;
    await writeValues(deps, index, values);
  }
}

async function writeValues(
  deps: WritingDeps,
  index: TimeseriesIndex,
  values: readonly SourceValue[],
): Promise<void> {
  const entries = await inSlices(toEntries(deps, values));
  if (entries.length === 0) return;
  try {
    await index.write(entries);
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    for (const entry of entries) await writeAlone(deps, index, entry);
  }
}

/**
 * Runs after the index rejected a page. An entry that it rejects again is written without its fields: a value that the index
 * lacks would be missing in its statistics.
 */
async function writeAlone(
  { fieldsOf, onUnindexable }: WritingDeps,
  index: TimeseriesIndex,
  entry: TimeseriesEntry,
): Promise<void> {
  try {
    await index.write([entry]);
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    onUnindexable(entry.urn, error);
    await index.write([withoutFields(entry, fieldsOf(entry.aspectName) ?? [])]);
  }
}

function* toEntries(
  { fieldsOf, onUnindexable }: WritingDeps,
  values: readonly SourceValue[],
): Steps<readonly TimeseriesEntry[]> {
  const entries: TimeseriesEntry[] = [];
  for (const value of values) {
    const fields = fieldsOf(value.aspectName);
    if (fields === undefined) continue;
    try {
      entries.push(projectTimeseriesValue(fields, value));
    } catch (error) {
      onUnindexable(value.urn, error);
      entries.push(withoutFields(value, fields));
    }
    yield;
  }
  return entries;
}

/** Deletes the entries in a range that the store has no value for. Everything that was written is visible. */
async function deleteGone(
  source: TimeseriesSource,
  index: TimeseriesIndex,
  { range, seq }: Deletion,
): Promise<void> {
  for (let after: EntryRef | undefined; ;) {
    const entries = await index.listEntries(range, after, COMPARED);
    after = entries.at(-1);
    if (after === undefined) return;
    const stored = new Set((await source.filterStored(entries)).map(timeseriesValueId));
    const gone = entries.filter((entry) => !stored.has(timeseriesValueId(entry)));
    if (gone.length > 0) await index.deleteEntries(gone, seq);
  }
}

import type { ChangeKey, PartitionSequences } from '@stratalog/domain';
import type {
  AspectStore,
  Batch,
  EntryRange,
  EntryRef,
  IndexVersions,
  TimeseriesIndex,
  TimeseriesSource,
  TimeseriesValueRef,
  WrittenValue,
} from '@stratalog/ports';
import { IndexBuild } from '../build/index-build';
import type { IndexContent } from '../content/index-content';
import { fillByUrns } from '../build/fill-by-urns';
import { TimeseriesGuard } from './timeseries-guard';
import { deleteUnstored, writePage, type WritingDeps } from './write-page';

export interface TimeseriesContentDeps extends WritingDeps {
  readonly store: AspectStore;
  readonly source: TimeseriesSource;
  readonly indexes: IndexVersions<TimeseriesIndex>;
  /** The timeseries aspects of the model. */
  readonly aspectNames: readonly string[];
  readonly indexName: string;
  readonly compareEveryMs: number;
  readonly onNotice: (message: string, cause?: unknown) => void;
}

type RestoreDeps = WritingDeps & Pick<TimeseriesContentDeps, 'source'>;

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
          preparePage: ({ after, last, writtenUpTo }) =>
            Promise.resolve((onPart) =>
              indexRange(deps, target, { afterUrn: after, upToUrn: last, writtenUpTo, onPart }),
            ),
        });
        // A value that the index rejects has an entry too.
        return 0;
      },
    }),
    guard: new TimeseriesGuard(deps),
    applyTo: (index) => async (batch) => {
      await applyChanges(deps, index, batch);
      return undefined;
    },
  };
}

/**
 * Brings the entries of an entity up to date with the store, whatever the change log says: writes all, and deletes those
 * without a value.
 */
export async function restoreTimeseries(
  deps: RestoreDeps,
  index: TimeseriesIndex,
  urn: string,
): Promise<void> {
  const writtenUpTo = { urn, aspectName: '', timestampMs: Number.MIN_SAFE_INTEGER, valueKey: '' };
  await indexRange(deps, index, { writtenUpTo, upToUrn: urn });
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
    const { read } = await writePage(deps, index, () => deps.source.readWritten(left.slice(0, PAGE)));
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

interface IndexedRange {
  readonly afterUrn?: string | undefined;
  readonly upToUrn: string;
  /** The values up to this one are written already. */
  readonly writtenUpTo: TimeseriesValueRef | undefined;
  /** Called after each page of values. */
  readonly onPart?: (last: TimeseriesValueRef) => Promise<void>;
}

/** Writes the values of a range of entities, page by page. */
async function indexRange(
  deps: RestoreDeps,
  index: TimeseriesIndex,
  { afterUrn, upToUrn, writtenUpTo, onPart }: IndexedRange,
): Promise<void> {
  let after = writtenUpTo;
  for (;;) {
    const range = { afterUrn, upToUrn, after, limit: PAGE };
    const { values } = await writePage(deps, index, async () => ({
      values: await deps.source.readRange(range),
    }));
    after = values.at(-1);
    if (after === undefined) return;
    const { urn, aspectName, timestampMs, valueKey } = after;
    await onPart?.({ urn, aspectName, timestampMs, valueKey });
  }
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
    await deleteUnstored(source, index, entries, seq);
  }
}

import {
  UnavailableError,
  projectTimeseriesValue,
  timeseriesValueId,
  withoutFields,
  type TimeseriesEntry,
  type TimeseriesField,
} from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { inSlices } from '@stratalog/concurrency';
import type { EntryRef, SourceValue, TimeseriesIndex, TimeseriesSource } from '@stratalog/ports';

export interface WritingDeps {
  readonly source: Pick<TimeseriesSource, 'filterStored'>;
  /** The fields of the values of an aspect; `undefined` for one that is no timeseries aspect. */
  readonly fieldsOf: (aspectName: string) => readonly TimeseriesField[] | undefined;
  /** Called for an entity with a value that could not be projected or that the index rejected; its entry has no fields. */
  readonly onUnindexable: (urn: string, cause: unknown) => void;
  /** Time after which a write is late; half a minute by default. */
  readonly lateMs?: number;
}

/** Half of the time for which a search engine remembers the `seq` of a deleted entry. */
const LATE_MS = 30_000;

/**
 * Writes the entries of a page of values that `read` returns, and returns the page.
 *
 * A process that was paused writes values that others have deleted meanwhile, and the index may have forgotten that. So after a late
 * write the entries without a value are deleted again.
 */
export async function writePage<Page extends { readonly values: readonly SourceValue[] }>(
  deps: WritingDeps,
  index: TimeseriesIndex,
  read: () => Promise<Page>,
): Promise<Page> {
  const beganAt = performance.now();
  const page = await read();
  await writeValues(deps, index, page.values);
  if (performance.now() - beganAt > (deps.lateMs ?? LATE_MS))
    await deleteUnstored(deps.source, index, page.values);
  return page;
}

/** Deletes those of some entries that the store has no value for. A later entry of the same identity stays. */
export async function deleteUnstored(
  source: Pick<TimeseriesSource, 'filterStored'>,
  index: TimeseriesIndex,
  entries: readonly EntryRef[],
  seq = 0,
): Promise<void> {
  const stored = new Set((await source.filterStored(entries)).map(timeseriesValueId));
  const gone = entries.filter((entry) => !stored.has(timeseriesValueId(entry)));
  if (gone.length > 0) await index.deleteEntries(gone, seq);
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

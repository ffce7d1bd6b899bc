import { parseSequences } from '@stratalog/domain';
import type { StoreTransaction, TimeseriesStorage } from '@stratalog/ports';
import { listSearchedTimeseries, type EntityRegistry } from '@stratalog/registry';
import * as z from 'zod';

/** How far the deletion of a run's timeseries values is, in the checkpoint of its rollback. */
export const TAKEN_VALUES = z.object({
  /** The values that the run had written last when the rollback began. */
  count: z.number(),
  /** Last sequence number of each partition then; later values stay. */
  position: z.record(z.string(), z.number()),
  deleted: z.number(),
  after: z.object({ seq: z.number(), urn: z.string() }).nullable(),
  isDone: z.boolean(),
  /** Entities that lost the latest value of a searched aspect in the last page; they are restated before the next one. */
  stale: z.array(z.string()),
});
export type TakenValues = z.infer<typeof TAKEN_VALUES>;

/** The state of a run without timeseries values. */
export const NO_VALUES: TakenValues = {
  count: 0,
  position: {},
  deleted: 0,
  after: null,
  isDone: true,
  stale: [],
};

/** Writers of the same partitions wait for a page: so many values take some milliseconds. */
const PAGE = 500;

/** Counts the timeseries values that a rollback of the run would delete. */
export async function planTakenValues(timeseries: TimeseriesStorage, runId: string): Promise<TakenValues> {
  const { count, position } = await timeseries.countRun(runId);
  return count === 0
    ? NO_VALUES
    : { ...NO_VALUES, count, position: Object.fromEntries(position), isDone: false };
}

/**
 * Deletes the next page of the timeseries values that a run wrote, unless others have replaced them. Values that the run
 * replaced do not come back. Returns `undefined` while the relay still has to publish the values, which it reads from the store.
 */
export async function takeBackValues(
  { timeseries, registry }: { readonly timeseries: TimeseriesStorage; readonly registry: EntityRegistry },
  transaction: StoreTransaction,
  { runId, values, actor }: { readonly runId: string; readonly values: TakenValues; readonly actor: string },
): Promise<TakenValues | undefined> {
  const position = parseSequences(values.position);
  if (values.after === null && !(await timeseries.isPublished(position))) return undefined;
  const run = { runId, position, actor };
  const page = await timeseries.deleteRunPage(transaction, run, {
    after: values.after ?? undefined,
    limit: PAGE,
  });
  const deleted = values.deleted + page.deleted;
  const { last } = page;
  if (last === undefined) return { ...values, deleted, isDone: true };
  const searched = listSearchedTimeseries(registry.aspects);
  const stale = page.stale.filter(({ aspectName }) => searched.includes(aspectName)).map(({ urn }) => urn);
  return { ...values, deleted, after: { seq: last.seq, urn: last.urn }, stale: [...new Set(stale)] };
}

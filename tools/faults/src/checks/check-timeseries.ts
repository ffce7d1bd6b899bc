import { timeseriesValueId } from '@stratalog/domain';
import type { TimeseriesIndex, TimeseriesSource, TimeseriesValueRef } from '@stratalog/ports';
import { Violation } from '../ledger/violation';

const PAGE = 1_000;

/**
 * Compares the entries of the index of timeseries values with the values of the store, one by one, while no write comes.
 *
 * **Errors**: `Violation`. Returns the number of compared values.
 */
export async function checkTimeseries(
  source: TimeseriesSource,
  index: TimeseriesIndex | undefined,
): Promise<number> {
  if (index === undefined) throw new Violation('timeseries', 'no index is live');
  let compared = 0;
  let own = new Map<string, number>();
  let urn = '';
  const finishUrn = async (): Promise<void> => {
    if (urn !== '') await compareUrn(index, urn, own);
    own = new Map();
  };
  for await (const value of readAll(source)) {
    if (value.urn !== urn) await finishUrn();
    urn = value.urn;
    own.set(timeseriesValueId(value), value.seq);
    compared++;
  }
  await finishUrn();
  const entries = await index.count();
  if (entries !== compared) {
    throw new Violation(
      'timeseries',
      `the index has ${String(entries)} entries, the store ${String(compared)} values`,
    );
  }
  return compared;
}

async function* readAll(
  source: TimeseriesSource,
): AsyncGenerator<TimeseriesValueRef & { readonly seq: number }> {
  for (let after: TimeseriesValueRef | undefined; ;) {
    const page = await source.readRange({ afterUrn: undefined, upToUrn: '\u{10ffff}', after, limit: PAGE });
    yield* page;
    after = page.at(-1);
    if (after === undefined) return;
  }
}

async function compareUrn(
  index: TimeseriesIndex,
  urn: string,
  stored: ReadonlyMap<string, number>,
): Promise<void> {
  const range = { urn, startMs: 0, endMs: Number.MAX_SAFE_INTEGER };
  const left = new Map(stored);
  for (let after: Awaited<ReturnType<TimeseriesIndex['listEntries']>>[number] | undefined; ;) {
    const page = await index.listEntries(range, after, PAGE);
    for (const entry of page) {
      const id = timeseriesValueId(entry);
      if (left.get(id) !== entry.seq) {
        throw new Violation('timeseries', `${id} has seq ${String(entry.seq)} in the index only`);
      }
      left.delete(id);
    }
    after = page.at(-1);
    if (after === undefined) break;
  }
  for (const id of left.keys()) throw new Violation('timeseries', `${id} is missing in the index`);
}

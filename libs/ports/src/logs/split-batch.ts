import type { Batch, LogRange, LogRecord } from './consumer';

/**
 * Splits a batch into the records that are taken now and those for which `isLeft` is true. Offsets between two records
 * belong to the second.
 */
export function splitBatch<T>(
  { records, ranges }: Batch<T>,
  isLeft: (record: LogRecord<T>, at: number) => boolean,
): { readonly taken: Batch<T>; readonly rest: Batch<T> } {
  const left = records.filter(isLeft);
  const isTaken = new Set(records);
  for (const record of left) isTaken.delete(record);
  const taken = [...isTaken];
  const endOf = (range: LogRange): number => {
    const { partition, from, to, unlogged } = range;
    if (!left.some((record) => record.partition === partition)) return to;
    const own = taken.filter((record) => record.partition === partition);
    // Unlogged records are numbered by the commit that applies them; those that pass the log's own have no number.
    if (unlogged === true) return range.passing === undefined ? from + own.length : from;
    return own.at(-1)?.offset ?? from;
  };
  const ends = ranges.map((range) => ({ range, end: endOf(range) }));
  return {
    taken: { records: taken, ranges: ends.map(({ range, end }) => ({ ...range, to: end })) },
    rest: {
      records: left,
      ranges: ends.flatMap(({ range, end }) =>
        left.some(({ partition }) => partition === range.partition) ? [{ ...range, from: end }] : [],
      ),
    },
  };
}

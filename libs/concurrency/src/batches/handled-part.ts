import type { Batch, LogRange } from '@stratalog/ports';

/** Returns the part of a batch that was handled when `rest` was left, with the ranges that it covers. */
export function handledPart<T>({ records, ranges }: Batch<T>, rest: Batch<T> | undefined): Batch<T> {
  if (rest === undefined) return { records, ranges };
  const left = new Set(rest.records);
  const starts = new Map(rest.ranges.map((range) => [range.partition, range]));
  return {
    records: records.filter((record) => !left.has(record)),
    ranges: ranges.map((range) => {
      const { from: to = range.to, ahead } = starts.get(range.partition) ?? {};
      return { ...range, to, ...endAhead(range, ahead?.before) };
    }),
  };
}

/** The member `ahead` of a range at whose end these offsets are applied ahead. */
export function endAhead({ ahead }: LogRange, after = ahead?.after): Pick<LogRange, 'ahead'> {
  return ahead === undefined || after === undefined ? {} : { ahead: { ...ahead, after } };
}

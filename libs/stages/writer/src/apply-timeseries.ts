import type { AppliedOutcome } from '@stratalog/domain';
import type { TimeseriesValueRef, TimeseriesRange } from '@stratalog/ports';
import { allTimeseriesOf, splitPieces } from './batch-timeseries';
import type { BatchState } from './batch-state';
import { listDeletedEntities, type AcceptedRecord } from './check-record';

/** Returns the timeseries value that a record writes; `undefined` when it writes none. */
export function toTimeseriesValue({
  urn,
  aspectName,
  timeseriesValues,
}: AcceptedRecord): TimeseriesValueRef | undefined {
  return timeseriesValues !== undefined && 'identity' in timeseriesValues
    ? { urn, aspectName, ...timeseriesValues.identity }
    : undefined;
}

/** Returns the range of timeseries values that a record deletes; `undefined` when it deletes none. */
export function toTimeseriesRange({
  urn,
  aspectName,
  timeseriesValues,
}: AcceptedRecord): TimeseriesRange | undefined {
  return timeseriesValues !== undefined && 'within' in timeseriesValues
    ? { urn, aspectName, within: timeseriesValues.within }
    : undefined;
}

/** Collects the ranges that the records may delete, split into disjoint pieces. */
export function toTimeseriesRanges(records: readonly AcceptedRecord[]): readonly TimeseriesRange[] {
  const ranges = records.flatMap((record) => toTimeseriesRange(record) ?? []);
  return splitPieces([...ranges, ...listDeletedEntities(records).map(allTimeseriesOf)]);
}

/**
 * Writes a timeseries value. It replaces a stored value of the same identity, whichever run is later. An equal value
 * changes nothing at all.
 */
export function writeTimeseriesValue(
  batch: BatchState,
  record: AcceptedRecord,
  ref: TimeseriesValueRef,
): AppliedOutcome {
  const { value = '', systemMetadata } = record;
  const partition = batch.snapshot.partitionOf(ref.urn);
  const current = batch.timeseriesValues.at(ref);
  if (current?.isValue(value) === true) {
    return { kind: 'unchanged', version: 0, partition, seq: current.seq };
  }
  const { seq } = batch.appendTimeseriesValue(record, ref.timestampMs);
  batch.timeseriesValues.write({ ...ref, seq, value, systemMetadata });
  return { kind: 'written', version: 0, partition, seq };
}

/** Deletes a range of timeseries values; an empty range changes nothing. */
export function deleteTimeseries(
  batch: BatchState,
  record: AcceptedRecord,
  range: TimeseriesRange,
): AppliedOutcome {
  const partition = batch.snapshot.partitionOf(range.urn);
  if (batch.timeseriesValues.isEmpty(range)) {
    return { kind: 'unchanged', version: 0, partition, seq: batch.entity(range.urn)?.seq ?? 0 };
  }
  const { seq } = batch.deleteTimeseries(record, range);
  return { kind: 'written', version: 0, partition, seq };
}

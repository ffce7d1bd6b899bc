import type { AppliedOutcome } from '@stratalog/model';
import type { TimeseriesValueRef, TimeseriesRange } from '@stratalog/ports';
import { readAllTimeseries, splitPieces } from './batch-timeseries';
import type { BatchState } from './batch-state';
import { deletedBy, type AcceptedRecord } from './checked-record';

/** The point that a record writes, if it is one of a timeseries aspect that does. */
export function toTimeseriesValue({
  urn,
  aspectName,
  timeseriesValues,
}: AcceptedRecord): TimeseriesValueRef | undefined {
  return timeseriesValues !== undefined && 'identity' in timeseriesValues
    ? { urn, aspectName, ...timeseriesValues.identity }
    : undefined;
}

/** The points that a record takes away. */
export function toTimeseriesRange({
  urn,
  aspectName,
  timeseriesValues,
}: AcceptedRecord): TimeseriesRange | undefined {
  return timeseriesValues !== undefined && 'within' in timeseriesValues
    ? { urn, aspectName, within: timeseriesValues.within }
    : undefined;
}

/** Where the records may take points away, in pieces. */
export function toTimeseriesRanges(records: readonly AcceptedRecord[]): readonly TimeseriesRange[] {
  const spans = records.flatMap((record) => toTimeseriesRange(record) ?? []);
  return splitPieces([...spans, ...deletedBy(records).map(readAllTimeseries)]);
}

/**
 * Writes a point. One of the same identity is replaced, whichever of the two is about a later run; one that says the same stays, and
 * nothing changes at all.
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
  const { seq } = batch.noteTimeseriesValue(record, ref.timestampMs);
  batch.timeseriesValues.write({ ...ref, seq, value, systemMetadata });
  return { kind: 'written', version: 0, partition, seq };
}

/** Takes points away; where there are none nothing changes. */
export function deleteTimeseries(
  batch: BatchState,
  record: AcceptedRecord,
  span: TimeseriesRange,
): AppliedOutcome {
  const partition = batch.snapshot.partitionOf(span.urn);
  if (batch.timeseriesValues.isEmpty(span)) {
    return { kind: 'unchanged', version: 0, partition, seq: batch.entity(span.urn)?.seq ?? 0 };
  }
  const { seq } = batch.deleteTimeseries(record, span);
  return { kind: 'written', version: 0, partition, seq };
}

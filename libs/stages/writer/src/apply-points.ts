import type { AppliedOutcome } from '@stratalog/model';
import type { PointRef, PointSpan } from '@stratalog/ports';
import { allPointsOf, piecesOf } from './batch-points';
import type { BatchState } from './batch-state';
import { deletedBy, type AcceptedRecord } from './checked-record';

/** The point that a record writes, if it is one of a timeseries aspect that does. */
export function pointOf({ urn, aspectName, points }: AcceptedRecord): PointRef | undefined {
  return points !== undefined && 'identity' in points ? { urn, aspectName, ...points.identity } : undefined;
}

/** The points that a record takes away. */
export function pointSpanOf({ urn, aspectName, points }: AcceptedRecord): PointSpan | undefined {
  return points !== undefined && 'within' in points ? { urn, aspectName, within: points.within } : undefined;
}

/** Where the records may take points away, in pieces. */
export function pointSpansOf(records: readonly AcceptedRecord[]): readonly PointSpan[] {
  const spans = records.flatMap((record) => pointSpanOf(record) ?? []);
  return piecesOf([...spans, ...deletedBy(records).map(allPointsOf)]);
}

/**
 * Writes a point. One of the same identity is replaced, whichever of the two is about a later run; one that says the same stays, and
 * nothing changes at all.
 */
export function writePoint(batch: BatchState, record: AcceptedRecord, ref: PointRef): AppliedOutcome {
  const { value = '', systemMetadata } = record;
  const partition = batch.snapshot.partitionOf(ref.urn);
  const current = batch.points.at(ref);
  if (current?.isValue(value) === true) {
    return { kind: 'unchanged', version: 0, partition, seq: current.seq };
  }
  const { seq } = batch.notePoint(record, ref.timestampMs);
  batch.points.write({ ...ref, seq, value, systemMetadata });
  return { kind: 'written', version: 0, partition, seq };
}

/** Takes points away; where there are none nothing changes. */
export function removePoints(batch: BatchState, record: AcceptedRecord, span: PointSpan): AppliedOutcome {
  const partition = batch.snapshot.partitionOf(span.urn);
  if (batch.points.isEmpty(span)) {
    return { kind: 'unchanged', version: 0, partition, seq: batch.entity(span.urn)?.seq ?? 0 };
  }
  const { seq } = batch.removePoints(record, span);
  return { kind: 'written', version: 0, partition, seq };
}

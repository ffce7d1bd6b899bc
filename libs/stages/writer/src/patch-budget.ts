import { rewritesStoredValue } from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import type { BatchState } from './batch-state';
import type { AcceptedRecord, CheckedRecord } from './check-record';

/**
 * Most characters that the heavy patches of one commit read and write, and likewise the light ones; the record that
 * exceeds them is the last. Each limit takes a quarter to half a second without other work in the process.
 */
const MAX_PATCHED_CHARACTERS = 8_000_000;
/** A record whose patches read and write fewer characters is light: it never waits for heavier ones. */
const LIGHT_CHARACTERS = 1_000_000;

/**
 * Divides the patches of large values, and their restatements, among several commits, so that the proposals of others get their turn in between.
 *
 * A record that must wait makes those behind it wait that are in order with it: those that name one of its urns, or
 * all of its partition.
 */
export class PatchBudget {
  private heavy = 0;
  private light = 0;
  private readonly waiting = new Set<string | number>();

  constructor(private readonly batch: BatchState) {}

  /** True when the record is for a later commit. */
  mustWait(record: CheckedRecord): boolean {
    const patches = listPatches(record);
    if (patches.length === 0 && this.waiting.size === 0) return false;
    const lines = listLines(record);
    const isOver = this.isLight(record)
      ? this.light > MAX_PATCHED_CHARACTERS
      : this.heavy > MAX_PATCHED_CHARACTERS;
    const waits = lines.some((line) => this.waiting.has(line)) || (isOver && patches.length > 0);
    if (waits) for (const line of lines) this.waiting.add(line);
    return waits;
  }

  /** Charges what the record has read and written. */
  *charge<Outcome>(record: CheckedRecord, apply: Steps<Outcome>): Steps<Outcome> {
    const isLight = this.isLight(record);
    const before = this.batch.patchedCharacters;
    const outcome = yield* apply;
    const characters = this.batch.patchedCharacters - before;
    if (isLight) this.light += characters;
    else this.heavy += characters;
    return outcome;
  }

  /** Judged by the stored values, before the record is applied. */
  private isLight(record: CheckedRecord): boolean {
    const stored = listPatches(record).reduce(
      (sum, each) => sum + (this.batch.aspect(each)?.value?.length ?? 0),
      0,
    );
    return 2 * stored < LIGHT_CHARACTERS;
  }
}

function listPatches(record: CheckedRecord): readonly AcceptedRecord[] {
  return listRecords(record).filter(rewritesStoredValue);
}

function listRecords(record: CheckedRecord): readonly AcceptedRecord[] {
  if (record.kind === 'rejected') return [];
  return record.kind === 'batch' ? record.records : [record];
}

function listLines(record: CheckedRecord): readonly (string | number)[] {
  if (record.kind !== 'rejected' && record.isOrderedByUrn === true)
    return listRecords(record).map(({ urn }) => urn);
  return [record.position.partition];
}

import type { SourceWrite } from '../connection/source-write';

/** The limits of one request; a larger write is sent alone. */
export interface BatchBounds {
  readonly writes: number;
  readonly characters: number;
}

/** A write that waits to be sent. */
export interface WaitingWrite {
  readonly write: SourceWrite;
}

/**
 * Takes the next batch from the waiting writes, in order: those of the kind of the first one, as many as fit.
 *
 * A write that stays behind holds back every later one of its entity, so that alternating snapshots and
 * proposals still make full batches.
 *
 * **Order and repeats**: writes of one urn are taken in the order in which they wait. Changes `waiting`.
 */
export function takeBatch<T extends WaitingWrite>(waiting: T[], bounds: BatchBounds): T[] {
  const kind = waiting[0]?.write.kind;
  const batch: T[] = [];
  const left: T[] = [];
  const inBatch = new Set<string>();
  const behind = new Set<string>();
  let characters = 0;
  let at = 0;
  for (; at < waiting.length && batch.length < bounds.writes; at++) {
    const candidate = waiting[at];
    if (candidate === undefined) break;
    const { write } = candidate;
    const size = measureSize(write);
    const fits = batch.length === 0 || characters + size <= bounds.characters;
    // A write that does not fit ends the batch: filling up with later small ones would let a large one wait
    // long.
    if (!fits) break;
    const staysBehind =
      write.kind !== kind || behind.has(write.urn) || (write.mustComeFirst && inBatch.has(write.urn));
    if (staysBehind) {
      behind.add(write.urn);
      left.push(candidate);
    } else {
      inBatch.add(write.urn);
      batch.push(candidate);
      characters += size;
    }
  }
  waiting.splice(0, at, ...left);
  return batch;
}

/** **Units**: characters of the request's body. */
export function measureSize({ text, systemMetadata }: SourceWrite): number {
  return text.length + systemMetadata.length;
}

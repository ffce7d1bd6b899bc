import type { SourceWrite } from '../connection/source-write';

/** How much one request holds at most; a write that is larger alone goes alone. */
export interface BatchBounds {
  readonly writes: number;
  readonly characters: number;
}

/** Something that waits to be sent. */
export interface WaitingWrite {
  readonly write: SourceWrite;
}

/**
 * Takes the next batch out of what waits, in order: writes of the kind of the first one, as many as fit.
 *
 * A write that stays behind keeps every later one of its entity behind it, so that a file in which snapshots and proposals alternate makes
 * full batches all the same.
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
    // What does not fit ends the batch: looking for something small behind it would let a large one wait long.
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

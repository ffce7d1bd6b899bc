import type { AspectSends, Send } from '../ledger/ledger';

/** One stored version of an aspect, the first one at index 0. */
export interface StoredVersion {
  readonly partition: number;
  readonly seq: number;
  /** The number of its value; `undefined` when no writer has sent such a value. */
  readonly value: number | undefined;
}

/**
 * Describes the fault in the history of one aspect; `undefined` for a history that the sends allow. Such a
 * history has every acknowledged send, has no send twice, and has a send that was acknowledged before another
 * started before that one.
 */
export function faultInHistory(aspect: AspectSends, versions: readonly StoredVersion[]): string | undefined {
  const sent = new Set<number | undefined>(aspect.sends.map(({ value }) => value));
  const stray = versions.findIndex(({ value }) => !sent.has(value));
  if (stray >= 0) return `version ${stray + 1} holds a value that was not sent`;
  return (
    faultInPositions(aspect.sends, versions) ??
    (aspect.inTurn ? faultInTurns(aspect.sends, versions) : faultInOrder(aspect.sends, versions))
  );
}

/** The answer to a synchronous write has the urn's position: the written value is at or before it. */
function faultInPositions(sends: readonly Send[], versions: readonly StoredVersion[]): string | undefined {
  const firsts = new Map<number | undefined, StoredVersion>();
  for (const version of versions) if (!firsts.has(version.value)) firsts.set(version.value, version);
  for (const { value, acknowledged } of sends) {
    if (acknowledged === undefined) continue;
    const first = firsts.get(value);
    if (first === undefined) return `value ${value} was acknowledged and is not there`;
    if (acknowledged.seqs === undefined) continue;
    const seq = acknowledged.seqs.get(first.partition) ?? 0;
    if (seq < first.seq) return `value ${value} was acknowledged at seq ${seq} and lies at seq ${first.seq}`;
  }
  return undefined;
}

/**
 * One sender who waits for each answer: the versions must be the acknowledged values and any of the others,
 * in the order of sending. A value that is stored already makes no version.
 *
 * Follows all alternatives at once: after each send, the set of version counts that the sends so far can have
 * made.
 */
function faultInTurns(sends: readonly Send[], versions: readonly StoredVersion[]): string | undefined {
  let counts = new Set([0]);
  for (const { value, acknowledged } of sends) {
    const next = new Set(acknowledged === undefined ? counts : []);
    for (const count of counts) {
      if (count > 0 && versions[count - 1]?.value === value) next.add(count);
      else if (versions[count]?.value === value) next.add(count + 1);
    }
    if (next.size === 0) {
      const reached = Math.max(...counts);
      return `value ${value} was acknowledged and does not follow version ${reached}`;
    }
    counts = next;
  }
  if (counts.has(versions.length)) return undefined;
  return `${versions.length} versions, of which the sends explain ${Math.max(...counts)}`;
}

/** Many senders, each value sent once: no value twice, and real time is respected. */
function faultInOrder(sends: readonly Send[], versions: readonly StoredVersion[]): string | undefined {
  const byValue = new Map(sends.map((send) => [send.value, send]));
  const seen = new Set<number | undefined>();
  let latestStartMs = -Infinity;
  for (const [at, { value }] of versions.entries()) {
    if (seen.has(value)) return `version ${at + 1} repeats value ${String(value)}, which was sent once`;
    seen.add(value);
    const send = value === undefined ? undefined : byValue.get(value);
    if (send === undefined) continue;
    if (send.acknowledged !== undefined && send.acknowledged.atMs < latestStartMs) {
      return `version ${at + 1} was acknowledged before the send of an earlier version began`;
    }
    latestStartMs = Math.max(latestStartMs, send.sentAtMs);
  }
  return undefined;
}

/**
 * How far each partition of a log has been read or written: partition -> last number. A partition that is absent counts
 * as 0, which stands before the first.
 */
export type PartitionSequences = ReadonlyMap<number, number>;

/**
 * A place in the change log of one store and epoch. Outside it is an opaque token ({@link formatPosition}).
 */
export interface Position {
  readonly storeId: string;
  readonly epoch: number;
  readonly seqs: PartitionSequences;
}

/** True when everything up to `wanted` is included in `reached`. */
export function covers(reached: PartitionSequences, wanted: PartitionSequences): boolean {
  for (const [partition, seq] of wanted) {
    if ((reached.get(partition) ?? 0) < seq) return false;
  }
  return true;
}

/** How many changes lie between the two, summed over the partitions. */
export function distance(reached: PartitionSequences, head: PartitionSequences): number {
  let missing = 0;
  for (const [partition, seq] of head) missing += Math.max(0, seq - (reached.get(partition) ?? 0));
  return missing;
}

export function maxOffsets(a: PartitionSequences, b: PartitionSequences): Map<number, number> {
  const merged = new Map(a);
  for (const [partition, seq] of b) merged.set(partition, Math.max(seq, merged.get(partition) ?? 0));
  return merged;
}

const TOKEN = /^([0-9a-f]{8})\.(\d{1,9})\.((?:\d{1,6}:\d{1,16})(?:,\d{1,6}:\d{1,16})*)?$/;

/**
 * The token that a client carries from a write to a read.
 *
 * **Shape**: `<first 8 hex digits of the store id>.<epoch>.<partition>:<seq>,...`; clients must not look inside.
 */
export function formatPosition(position: Position): string {
  const seqs = [...position.seqs]
    .sort(([a], [b]) => a - b)
    .map(([partition, seq]) => `${String(partition)}:${String(seq)}`);
  return `${position.storeId.slice(0, 8)}.${String(position.epoch)}.${seqs.join(',')}`;
}

/** Reads a token back; `undefined` when it is none. The store id in it is the short form. */
export function parsePosition(token: string): Position | undefined {
  const match = TOKEN.exec(token);
  if (match === null) return undefined;
  const seqs = new Map<number, number>();
  for (const pair of (match[3] ?? '').split(',')) {
    if (pair === '') continue;
    const [partition = '', seq = ''] = pair.split(':');
    if (!Number.isSafeInteger(Number(seq))) return undefined;
    seqs.set(Number(partition), Number(seq));
  }
  return { storeId: match[1] ?? '', epoch: Number(match[2]), seqs };
}

/**
 * Last sequence number per partition, up to which a log was read or written. An absent partition counts as 0, which
 * precedes the first number.
 */
export type PartitionSequences = ReadonlyMap<number, number>;

/**
 * A position in the change log of one store and epoch. Clients carry it as an opaque token ({@link formatPosition}).
 */
export interface Position {
  readonly storeId: string;
  readonly epoch: number;
  readonly seqs: PartitionSequences;
}

/** True for a position of a store and its epoch; a parsed token has only the beginning of the store id. */
export function isOfStore(
  { storeId, epoch }: Pick<Position, 'storeId' | 'epoch'>,
  identity: Pick<Position, 'storeId' | 'epoch'>,
): boolean {
  return identity.storeId.startsWith(storeId) && identity.epoch === epoch;
}

/** Reads sequence numbers from the form that JSON has: members by partition. `Object.fromEntries` makes that form. */
export function parseSequences(record: Readonly<Record<string, number>> = {}): PartitionSequences {
  return new Map(Object.entries(record).map(([partition, seq]) => [Number(partition), seq]));
}

/** True when `reached` includes every change up to `wanted`. */
export function covers(reached: PartitionSequences, wanted: PartitionSequences): boolean {
  for (const [partition, seq] of wanted) {
    if ((reached.get(partition) ?? 0) < seq) return false;
  }
  return true;
}

/** Counts the changes between `reached` and `sequences`, summed over the partitions. */
export function distance(reached: PartitionSequences, sequences: PartitionSequences): number {
  let missing = 0;
  for (const [partition, seq] of sequences) missing += Math.max(0, seq - (reached.get(partition) ?? 0));
  return missing;
}

export function maxOffsets(a: PartitionSequences, b: PartitionSequences): Map<number, number> {
  const merged = new Map(a);
  for (const [partition, seq] of b) merged.set(partition, Math.max(seq, merged.get(partition) ?? 0));
  return merged;
}

const TOKEN = /^([0-9a-f]{8})\.(\d{1,9})\.((?:\d{1,6}:\d{1,16})(?:,\d{1,6}:\d{1,16})*)?$/;

/**
 * Formats a position as the token that a client carries from a write to a read.
 *
 * **Shape**: `<first 8 hex digits of the store id>.<epoch>.<partition>:<seq>,...`; the token is opaque to clients.
 */
export function formatPosition(position: Position): string {
  const seqs = [...position.seqs]
    .sort(([a], [b]) => a - b)
    .map(([partition, seq]) => `${String(partition)}:${String(seq)}`);
  return `${position.storeId.slice(0, 8)}.${String(position.epoch)}.${seqs.join(',')}`;
}

/**
 * Parses a position token; `undefined` when the text is not a token. `storeId` of the result holds only the first 8
 * digits.
 */
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

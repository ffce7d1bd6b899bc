/**
 * Computes the partition of a urn with Kafka's key hash (murmur2 of the UTF-8 bytes).
 * A producer with Kafka's default partitioner and the store therefore agree on the partition.
 * **Source**: the hash of Apache Kafka's Java client, 32-bit MurmurHash2 with its seed 0x9747b28c.
 */
export function partitionOf(urn: string, partitions: number): number {
  return (murmur2(Buffer.from(urn, 'utf8')) & 0x7fffffff) % partitions;
}

const SEED = 0x9747b28c;
const MULTIPLIER = 0x5bd1e995;
const ROTATE = 24;

function murmur2(bytes: Buffer): number {
  let hash = SEED ^ bytes.length;
  const words = bytes.length >> 2;
  for (let word = 0; word < words; word++) {
    let k = Math.imul(bytes.readInt32LE(word * 4), MULTIPLIER);
    k = Math.imul(k ^ (k >>> ROTATE), MULTIPLIER);
    hash = Math.imul(hash, MULTIPLIER) ^ k;
  }
  const tail = words * 4;
  const rest = bytes.length - tail;
  if (rest > 0) {
    for (let at = rest - 1; at >= 0; at--) hash ^= (bytes[tail + at] ?? 0) << (8 * at);
    hash = Math.imul(hash, MULTIPLIER);
  }
  hash = Math.imul(hash ^ (hash >>> 13), MULTIPLIER);
  return hash ^ (hash >>> 15);
}

import { UnavailableError } from '@stratalog/domain';
import type { ChangeRelayStore, RelayLease, StoreIdentity, StoredChange } from '@stratalog/ports';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { readLastChanges, type LastChange } from './topic-tail';

export interface VerifyOptions {
  readonly cluster: KafkaCluster;
  readonly store: Pick<ChangeRelayStore, 'readStored' | 'advance'>;
  readonly owner: string;
  readonly identity: StoreIdentity;
}

/**
 * Compares the last change that the topic has in each leased partition with the store.
 *
 * A topic never ends before the published position, nor after the store. One that does has lost changes: they are published again. One
 * that has a change which the store lacks, or has otherwise, shows that the store was put back: its numbers are given a second time,
 * and readers would drop the new changes as repeats.
 *
 * **Errors**: `UnavailableError` with the remedy when the store was put back.
 */
export async function verifyLeases(
  leases: readonly RelayLease[],
  { cluster, store, owner, identity }: VerifyOptions,
): Promise<readonly RelayLease[]> {
  const last = await readLastChanges(
    cluster,
    leases.map(({ partition }) => partition),
    identity,
  );
  if (last.size === 0) return leases;
  const stored = await store.readStored(new Map([...last].map(([partition, { seq }]) => [partition, seq])));
  for (const [partition, change] of last)
    requireStored(cluster.topics.changes, change, stored.get(partition));
  const back = leases.flatMap((lease) => {
    const to = last.get(lease.partition)?.seq ?? lease.published;
    return to < lease.published ? [{ ...lease, to }] : [];
  });
  if (back.length === 0) return leases;
  const moved = await store.advance(owner, back);
  const from = new Map(back.map(({ partition, to }) => [partition, to]));
  const list = back
    .map(({ partition, to }) => `partition ${String(partition)} after ${String(to)}`)
    .join(', ');
  cluster.warn(`${cluster.topics.changes} has lost changes, which are published again: ${list}`);
  return leases.map((lease) =>
    moved.has(lease.partition)
      ? { ...lease, published: from.get(lease.partition) ?? lease.published }
      : lease,
  );
}

function requireStored(topic: string, change: LastChange, stored: StoredChange | undefined): void {
  const { partition, seq } = change;
  const where = `${topic} has change ${String(seq)} of partition ${String(partition)}`;
  if (stored === undefined || stored.lastSeq < seq)
    throw putBack(`${where}, and the store ends at ${String(stored?.lastSeq ?? 0)}`);
  if (!isSame(change, stored)) throw putBack(`${where}, and the store has another change with this number`);
}

/**
 * A change that the store has otherwise was made after it had been put back, so it is later. An earlier time is that of a stamp that lay
 * ahead, which the operator had corrected.
 */
function isSame(
  change: LastChange,
  { urn, aspectName, version, createdMs = Infinity }: StoredChange,
): boolean {
  return (
    change.urn === urn &&
    change.aspectName === aspectName &&
    change.version === version &&
    (change.createdMs === undefined || createdMs <= change.createdMs)
  );
}

function putBack(what: string): UnavailableError {
  return new UnavailableError(
    `${what}: the store was put back to an older state. Run "stratalog store restored"; nothing is published until then`,
  );
}

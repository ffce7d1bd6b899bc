import { ThrottledError, proposalsIn, rewritesStoredValue, type ProposalEntry } from '@stratalog/domain';
import type { AspectRef, ConsumerProgress, LogPosition } from '@stratalog/ports';

interface PatchBacklogOptions {
  /** Reads the sizes of stored values in bytes, in the order of the references; 0 for an absent one. */
  readonly readSizes: (refs: readonly AspectRef[]) => Promise<readonly number[]>;
  /** Reads up to which record each partition of the log is applied. */
  readonly progress: () => Promise<ConsumerProgress>;
  /** Maximum bytes of stored values that the waiting patches of one urn read and write together. */
  readonly maxBytes: number;
}

/** A patch that waits. */
interface Patch extends AspectRef {
  /** Length of its operations, by which the value may grow. */
  readonly length: number;
}

/** The waiting patches of one aspect, and the length of their operations together. */
interface WaitingPatches extends AspectRef {
  count: number;
  length: number;
}

/** Number of waiting patches of one urn up to which no size is read: even of the largest values they are no long work. */
const UNCOUNTED = 8;
/** Minimum interval between two reads of the progress. **Units**: milliseconds. */
const PROGRESS_MS = 250;

/**
 * Bounds the work that one urn may queue. A patch of a few bytes rewrites the whole stored value, so patches are charged
 * by the size of that value. Every process counts the patches that it has submitted.
 */
export class PatchBacklog {
  private readonly waitingByUrn = new Map<string, Map<string, WaitingPatches>>();
  /** Patches that were in the log and not applied at the last look. */
  private readonly logged = new Set<{ readonly position: LogPosition; readonly patches: readonly Patch[] }>();
  private lookedAt = -Infinity;

  constructor(private readonly options: PatchBacklogOptions) {}

  /**
   * Charges the patches of these entries until {@link remove}, or until the log is applied up to the position that
   * {@link removeApplied} gets.
   *
   * Returns a promise only where a urn has many patches: calls without one keep their order.
   *
   * **Errors**: `ThrottledError` when a urn would have too much waiting work; then nothing is charged. Errors of
   * `readSizes`.
   */
  add(entries: readonly ProposalEntry[]): Promise<void> | undefined {
    const patches = entries.flatMap(patchesIn);
    if (patches.length === 0) return undefined;
    this.change(patches, 1);
    if (performance.now() - this.lookedAt > PROGRESS_MS) void this.dropApplied();
    const crowded = [...new Set(patches.map(({ urn }) => urn))].filter((urn) => this.count(urn) > UNCOUNTED);
    return crowded.length === 0 ? undefined : this.check(crowded, patches);
  }

  remove(entry: ProposalEntry): void {
    this.change(patchesIn(entry), -1);
  }

  removeApplied(entry: ProposalEntry, position: LogPosition): void {
    const patches = patchesIn(entry);
    if (patches.length > 0) this.logged.add({ position, patches });
  }

  private async check(urns: readonly string[], patches: readonly Patch[]): Promise<void> {
    try {
      await this.dropApplied();
      for (const urn of urns) await this.checkSizes(urn);
    } catch (error) {
      this.change(patches, -1);
      throw error;
    }
  }

  private async checkSizes(urn: string): Promise<void> {
    if (this.count(urn) <= UNCOUNTED) return;
    const waiting = [...(this.waitingByUrn.get(urn)?.values() ?? [])];
    const sizes = await this.options.readSizes(waiting);
    // Each patch reads and writes the value, which by then has grown by half of the operations on the average.
    const bytes = waiting.reduce(
      (sum, { count, length }, at) => sum + count * (2 * (sizes[at] ?? 0) + length),
      0,
    );
    const { maxBytes } = this.options;
    if (bytes <= maxBytes) return;
    throw new ThrottledError(
      `The patches of ${urn} that wait would read and write ${String(bytes)} bytes of stored values, and at most ` +
        `${String(maxBytes)} may wait; send the operations on one aspect as one patch, or fewer patches at a time`,
    );
  }

  private count(urn: string): number {
    return [...(this.waitingByUrn.get(urn)?.values() ?? [])].reduce((sum, { count }) => sum + count, 0);
  }

  private change(patches: readonly Patch[], sign: 1 | -1): void {
    for (const { urn, aspectName, length } of patches) {
      const own = this.waitingByUrn.get(urn) ?? new Map<string, WaitingPatches>();
      const waiting = own.get(aspectName) ?? { urn, aspectName, count: 0, length: 0 };
      waiting.count += sign;
      waiting.length += sign * length;
      if (waiting.count > 0) own.set(aspectName, waiting);
      else own.delete(aspectName);
      if (own.size > 0) this.waitingByUrn.set(urn, own);
      else this.waitingByUrn.delete(urn);
    }
  }

  /** Removes what the log has applied. While the log does not answer, everything counts as waiting. */
  private async dropApplied(): Promise<void> {
    this.lookedAt = performance.now();
    if (this.logged.size === 0) return;
    const progress = await this.options.progress().catch((): ConsumerProgress => new Map());
    for (const each of this.logged) {
      const { partition, offset } = each.position;
      if ((progress.get(partition)?.committedOffset ?? 0) < offset) continue;
      this.logged.delete(each);
      this.change(each.patches, -1);
    }
  }
}

function patchesIn(entry: ProposalEntry): readonly Patch[] {
  return proposalsIn(entry)
    .filter(rewritesStoredValue)
    .map(({ urn, aspectName, value = '' }) => ({ urn, aspectName, length: value.length }));
}

import { distance, type LineageStep, type PartitionSequences } from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { inSlices } from '@stratalog/concurrency';
import type { AspectRef, PastAspects } from '@stratalog/ports';
import type { PastDeps } from './past-deps';
import { PastEdges, nameOwner, readOwner } from './past-edges';
import { readAspectsAt } from './read-aspects-at';

export interface PastChangesDeps extends Pick<PastDeps, 'store' | 'history' | 'model'> {
  /** Epoch milliseconds. */
  readonly timeMs: number;
  /** The position of the store at that time. */
  readonly position: PartitionSequences;
  readonly tooMany: (what: string) => Error;
}

/** Most changes since the time that are read: about two seconds. */
export const MAX_CHANGES = 2_000_000;
/** Most aspects that changed since, and most edges that they had. */
const MAX_CHANGED = 10_000;
const MAX_PAST_EDGES = 100_000;
/** Number of aspects that one read of the store names. */
const PAGE = 5_000;

/** Knows which aspects were written after a time, and the edges that they had then. */
export class PastChanges {
  /** Aspects whose lineage at that time is unknown, because retention purged it. It grows while changes are read. */
  readonly lost: AspectRef[] = [];
  private readonly past = new PastEdges();
  /** Aspects that have versions before the last one that was written. */
  private readonly changed = new Set<string>();
  /** True when aspects that lineage met were written since; true of those that the store does not have any more. */
  private readonly met = new Map<string, boolean>();
  private position: PartitionSequences;
  private edges = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: PastChangesDeps) {
    this.position = deps.position;
  }

  /**
   * Leaves out steps of aspects that were written since, and hands the others to `merge` with the former edges.
   *
   * The steps may be older or newer than what was read of the store before. So the changes up to now are read first: the
   * former edges of an aspect that is written while a request lasts are not lost. Calls take turns.
   */
  leaveOutWritten<Step extends LineageStep, Merged>(
    steps: readonly Step[],
    merge: (kept: readonly Step[], past: PastEdges) => Merged,
  ): Promise<Merged> {
    const turn = this.last.then(async () => {
      await this.meetOwners(steps);
      await this.readOn();
      const kept = steps.filter((step) => {
        const name = nameOwner(readOwner(step));
        return !this.changed.has(name) && this.met.get(name) === false;
      });
      return merge(kept, this.past);
    });
    this.last = turn;
    return turn;
  }

  private async meetOwners(steps: readonly LineageStep[]): Promise<void> {
    const unknown = new Map<string, AspectRef>();
    for (const step of steps) {
      const { owner: urn, aspectName } = readOwner(step);
      const name = nameOwner({ owner: urn, aspectName });
      if (!this.changed.has(name) && !this.met.has(name)) unknown.set(name, { urn, aspectName });
    }
    const refs = [...unknown.values()];
    for (let at = 0; at < refs.length; at += PAGE) {
      const page = refs.slice(at, at + PAGE);
      const unwritten = await this.deps.history.filterUnwritten(page, this.deps.timeMs);
      for (const ref of page) this.met.set(nameRef(ref), true);
      for (const ref of unwritten) this.met.set(nameRef(ref), false);
    }
  }

  /**
   * Reads the changes that were written since the last call.
   *
   * **Errors**: that of `tooMany`.
   */
  async readOn(): Promise<void> {
    const { store, history, model, timeMs, tooMany } = this.deps;
    const [after, upTo] = [this.position, await store.readPartitionSequences()];
    const changes = distance(after, upTo);
    if (changes === 0) return;
    if (changes > MAX_CHANGES) throw tooMany(`${String(MAX_CHANGES)} changes were written`);
    const range = { after, upTo, aspectNames: model.aspectNames, limit: MAX_CHANGED + 1 };
    const listed = await history.listChangedAspects(range);
    const changed = listed.filter((ref) => !this.changed.has(nameRef(ref)));
    for (const ref of changed) this.changed.add(nameRef(ref));
    if (this.changed.size > MAX_CHANGED)
      throw tooMany(`${String(MAX_CHANGED)} entities changed their lineage`);
    await readAspectsAt(history, changed, timeMs, async (page) => {
      this.lost.push(...page.lost);
      await inSlices(this.addEdges(page));
    });
    this.position = upTo;
  }

  private *addEdges({ aspects }: PastAspects): Steps<void> {
    for (const { urn, aspectName, ...version } of aspects) {
      const edges = yield* this.deps.model.project(urn, { ...version, urn, name: aspectName });
      this.edges += edges.length;
      if (this.edges > MAX_PAST_EDGES) {
        throw this.deps.tooMany(`${String(MAX_PAST_EDGES)} edges of lineage changed`);
      }
      for (const edge of edges) {
        this.past.add(edge, { owner: urn, aspectName });
        yield;
      }
    }
  }
}

function nameRef({ urn, aspectName }: AspectRef): string {
  return nameOwner({ owner: urn, aspectName });
}

import { UnavailableError } from '@stratalog/domain';
import { Notifier } from '@stratalog/concurrency';
import {
  ReplacedVersionError,
  type BuildHeartbeat,
  type Clock,
  type IndexBuildState,
  type IndexIdentity,
  type IndexVersion,
  type IndexVersions,
  type IndexVersionsState,
  type IndexVersionStore,
  type RebuildMark,
} from '@stratalog/ports';
import { LiveCache } from './live-cache';
import { REBUILD_MARK, isSameIdentity, isSameStore } from './same-identity';

/**
 * Age at which a retired version is deleted. It exceeds the duration of any query, so that no query loses its index.
 */
const RETIRED_FOR_MS = 120_000;

/** The versions of one kind of index, over the store of any technology. */
export class StoredIndexVersions<Index extends { readonly name: string }> implements IndexVersions<Index> {
  readonly moves = new Notifier();
  private readonly cache = new LiveCache<Index>();

  constructor(
    private readonly store: IndexVersionStore<Index>,
    private readonly clock: Clock,
  ) {}

  get changesPerBatch(): number {
    return this.store.changesPerBatch;
  }

  live(): Promise<Index | undefined> {
    return this.cache.get(async () => {
      const live = await this.readLive();
      return live === undefined ? undefined : this.open(live);
    });
  }

  async create(identity: IndexIdentity): Promise<Index> {
    let version = await this.readUnfinished(identity);
    if (version === undefined) {
      await this.store.create(identity);
      // Read again: of two processes that create one at the same time, both continue the older.
      version = await this.readUnfinished(identity);
    }
    if (version === undefined)
      throw new UnavailableError('A new index version was lost while it was created');
    return this.open(version);
  }

  async activate(index: Index): Promise<boolean> {
    const { id, state, identity } = await this.find(index);
    if (state !== 'live') {
      const former = (await this.store.list()).find((version) => version.state === 'live');
      const outcome = await this.store.activate(id, {
        former: former?.id,
        // Positions of another store or epoch cannot be compared.
        mustCover: former !== undefined && isSameStore(former.identity, identity),
        nowMs: this.clock.now(),
      });
      if (outcome === 'behind') return false;
      // A process that stood still must not bring back what others have replaced meanwhile.
      if (outcome === 'replaced') throw new ReplacedVersionError();
    }
    this.cache.forget();
    return true;
  }

  async retire(index: Index): Promise<void> {
    const { id } = await this.find(index);
    await this.store.retire(id, 'live', this.clock.now());
    this.cache.forget();
  }

  async requestRebuild(): Promise<void> {
    await this.markLive({ isOutdated: true, isHeld: false });
  }

  async holdRebuild(): Promise<void> {
    const { live } = await this.state();
    if (live?.isOutdated === true) await this.markLive({ isOutdated: true, isHeld: true });
  }

  async cancelRebuild(): Promise<void> {
    const live = await this.markLive({ isOutdated: false, isHeld: false });
    if (live === undefined) return;
    const now = this.clock.now();
    for (const { id, state, identity } of await this.store.list()) {
      if (state === 'building' && isSameIdentity(identity, live.identity))
        await this.store.retire(id, state, now);
    }
  }

  async readBuild({ name }: Index): Promise<IndexBuildState | undefined> {
    const version = (await this.store.list()).find((each) => each.name === name);
    if (version === undefined || version.state === 'retired') return undefined;
    const { state, heartbeats, builder, progress } = version;
    return {
      isLive: state === 'live',
      heartbeats,
      ...(builder === undefined ? {} : { builder }),
      ...(progress === undefined ? {} : { progress }),
    };
  }

  async sendHeartbeat(index: Index, heartbeat: BuildHeartbeat): Promise<boolean> {
    const { id } = await this.find(index);
    return this.store.sendHeartbeat(id, heartbeat);
  }

  async state(): Promise<IndexVersionsState> {
    return describeVersions(await this.store.list());
  }

  async deleteRetired(): Promise<void> {
    const before = this.clock.now() - RETIRED_FOR_MS;
    for (const { id, retiredMs } of await this.store.list()) {
      if (retiredMs !== undefined && retiredMs < before) await this.store.drop(id);
    }
  }

  async drop(index: Index): Promise<void> {
    const { id } = await this.find(index);
    await this.store.drop(id);
    this.cache.forget();
  }

  /** Returns the version that it marked; `undefined` when none is live. */
  private async markLive(mark: RebuildMark): Promise<IndexVersion | undefined> {
    const live = (await this.store.list()).find(({ state }) => state === 'live');
    if (live === undefined) return undefined;
    await this.store.markRebuild(live.id, mark);
    this.cache.forget();
    return live;
  }

  private async readLive(): Promise<IndexVersion | undefined> {
    return (await this.store.list()).find(({ state, isComplete }) => state === 'live' && isComplete);
  }

  /** Returns the oldest unfinished version of `identity`. Deletes damaged ones, which cannot be continued. */
  private async readUnfinished(identity: IndexIdentity): Promise<IndexVersion | undefined> {
    const unfinished = (await this.store.list()).filter(
      ({ state, layout, identity: own }) =>
        state === 'building' && layout === this.store.layout && isSameIdentity(own, identity),
    );
    for (const version of unfinished) {
      if (version.isComplete) return version;
      await this.store.drop(version.id);
    }
    return undefined;
  }

  private async find({ name }: Index): Promise<IndexVersion> {
    const found = (await this.store.list()).find((version) => version.name === name);
    if (found === undefined) throw new UnavailableError(`The index version ${name} does not exist any more`);
    return found;
  }

  private open(version: IndexVersion): Index {
    return this.store.open({ ...version, identity: effectiveIdentity(version, this.store.layout) });
  }
}

/**
 * Returns the identity under which a version answers queries. A version of another layout, or one with a requested
 * rebuild, gets a different `mapping`, so that it is rebuilt.
 */
export function effectiveIdentity(
  { identity, layout, isOutdated }: Pick<IndexVersion, 'identity' | 'layout' | 'isOutdated'>,
  currentLayout: number,
): IndexIdentity {
  const inLayout = layout === currentLayout ? '' : `, in layout ${String(layout)}`;
  return { ...identity, mapping: `${identity.mapping}${inLayout}${isOutdated ? REBUILD_MARK : ''}` };
}

/** Describes the live version if it is complete, and the newest one that is being filled. */
export function describeVersions(versions: readonly IndexVersion[]): IndexVersionsState {
  const live = versions.find(({ state, isComplete }) => state === 'live' && isComplete);
  const unfinished = versions.filter(({ state }) => state === 'building');
  // Processes that begin at once create several, and one of them is filled.
  const building = unfinished.findLast(({ progress }) => progress !== undefined) ?? unfinished.at(-1);
  return {
    ...(live === undefined
      ? {}
      : { live: { name: live.name, isOutdated: live.isOutdated, isHeld: live.isHeld } }),
    ...(building === undefined
      ? {}
      : {
          building: {
            name: building.name,
            ...(building.progress === undefined ? {} : { progress: building.progress }),
          },
        }),
  };
}

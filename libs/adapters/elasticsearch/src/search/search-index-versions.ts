import { InvalidSettingError, UnavailableError } from '@stratalog/model';
import {
  Semaphore,
  withinLimits,
  type Clock,
  type IndexVersionsState,
  type IndexIdentity,
  type SearchIndex,
  type SearchIndexVersions,
} from '@stratalog/ports';
import { ensureIndex } from '../engine/ensure-index';
import { ALL_TYPES, IndexVersions, type IndexVersion } from '../index-versions/index-versions';
import { LAYOUT, buildMappings } from '../engine/build-mappings';
import type { SearchEngine } from '../engine/search-engine';
import { ElasticsearchSearchIndex, type IndexDeps } from './search-index';

/** Lifetime of the cached live version. A process notices another process's activation within this time. */
const LIVE_CACHE_MS = 1_000;
/**
 * Age at which a retired version is deleted. It exceeds the duration of any search, so that no search loses its index.
 */
const RETIRED_FOR_MS = 120_000;

/**
 * Maximum number of concurrent searches per process. More would wait in the engine, where they cannot be removed after
 * their time limit.
 */
const MAX_SEARCHES = 32;

/** Manages the versions of the search index in one Elasticsearch or OpenSearch. */
export class ElasticsearchSearchIndexVersions implements SearchIndexVersions {
  private readonly deps: IndexDeps;
  private activations = 0;
  private cached: { readonly index: SearchIndex | undefined; readonly until: number } | undefined;

  constructor(
    engine: SearchEngine,
    private readonly clock: Clock,
  ) {
    this.deps = { engine, indexVersions: new IndexVersions(engine), searches: new Semaphore(MAX_SEARCHES) };
  }

  async live(): Promise<SearchIndex | undefined> {
    if (this.cached !== undefined && performance.now() < this.cached.until) return this.cached.index;
    const { activations } = this;
    const index = await withinLimits(async (signal) => {
      const indexVersion = await this.deps.indexVersions.live(signal);
      return indexVersion === undefined ? undefined : await this.readWholeIndex(indexVersion, signal);
    });
    // An answer that was read before another activation is out of date.
    if (activations === this.activations) this.cached = { index, until: performance.now() + LIVE_CACHE_MS };
    return index;
  }

  async create(identity: IndexIdentity): Promise<SearchIndex> {
    const indexVersion = await this.deps.indexVersions.createOrContinue(identity);
    const index = await this.readWholeIndex(indexVersion);
    if (index === undefined) {
      // A damaged version cannot be continued.
      await this.openIndex(indexVersion).drop();
      return this.create(identity);
    }
    if (!(ALL_TYPES in indexVersion.indices)) await this.createIndexFor(indexVersion);
    return index;
  }

  async activate(index: SearchIndex): Promise<void> {
    await this.deps.indexVersions.activate(toIndexVersion(index), this.clock.now());
    this.forgetLive();
  }

  async retire(index: SearchIndex): Promise<void> {
    await this.deps.indexVersions.retire(toIndexVersion(index), this.clock.now());
    this.forgetLive();
  }

  async requestRebuild(): Promise<void> {
    const live = await this.deps.indexVersions.live();
    if (live === undefined) return;
    await this.deps.indexVersions.markOutdated(live.id);
    this.forgetLive();
  }

  async state(): Promise<IndexVersionsState> {
    const all = await this.deps.indexVersions.list();
    const live = all.find(({ state }) => state === 'live');
    const building = all.findLast(({ state }) => state === 'building');
    const isComplete = live !== undefined && (await this.readWholeIndex(live)) !== undefined;
    return {
      ...(isComplete ? { live: { name: this.toName(live), isOutdated: live.outdated === true } } : {}),
      ...(building === undefined
        ? {}
        : {
            building: {
              name: this.toName(building),
              ...(building.progress === undefined ? {} : { progress: building.progress }),
            },
          }),
    };
  }

  async deleteRetired(): Promise<void> {
    const before = this.clock.now() - RETIRED_FOR_MS;
    for (const indexVersion of await this.deps.indexVersions.list()) {
      if (indexVersion.retiredMs === undefined || indexVersion.retiredMs >= before) continue;
      await this.openIndex(indexVersion).drop();
    }
  }

  private forgetLive(): void {
    this.activations++;
    this.cached = undefined;
  }

  private toName({ id }: IndexVersion): string {
    return this.deps.engine.names.allOf(id);
  }

  /**
   * Opens the index of a version. One with another layout, or with a requested rebuild, gets a different `mapping`, so
   * that it is rebuilt.
   */
  private openIndex({ id, identity, layout, outdated }: IndexVersion): ElasticsearchSearchIndex {
    const mapping = [
      identity.mapping,
      ...(layout === LAYOUT ? [] : [`in layout ${layout}`]),
      ...(outdated === true ? ['to be replaced'] : []),
    ].join(', ');
    return new ElasticsearchSearchIndex(this.deps, id, { ...identity, mapping }, layout);
  }

  /** Returns `undefined` when an index of the version was removed or replaced. */
  private async readWholeIndex(
    indexVersion: IndexVersion,
    signal?: AbortSignal,
  ): Promise<ElasticsearchSearchIndex | undefined> {
    const index = this.openIndex(indexVersion);
    const existingUuids = new Set(Object.values(await index.readUuids(signal)));
    return Object.values(indexVersion.indices).every((uuid) => existingUuids.has(uuid)) ? index : undefined;
  }

  /** Created before the first document, so that its write does not wait. */
  private async createIndexFor({ id }: IndexVersion): Promise<void> {
    const { engine, indexVersions } = this.deps;
    const shape = buildMappings(engine.names.documents(id), { product: 'stratalog', indexVersion: id });
    const uuid = await ensureIndex(engine.client, shape).catch((error: unknown) => {
      // Not a setting error: the name is the catalog's own, and random.
      throw error instanceof InvalidSettingError
        ? new UnavailableError('The search engine has an index in the way of a new one', { cause: error })
        : error;
    });
    await indexVersions.addIndex(id, uuid);
  }
}

function toIndexVersion(index: SearchIndex): string {
  if (!(index instanceof ElasticsearchSearchIndex)) {
    throw new TypeError(`${index.name} is not an index in the search engine`);
  }
  return index.indexVersion;
}

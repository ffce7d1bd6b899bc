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

/** Another process may promote an index; a reader notices within this time. */
const LIVE_CACHE_MS = 1_000;
/** Longer than a search may take, so that none meets an index that is gone. */
const RETIRED_FOR_MS = 120_000;

/** Searches of this process under way at a time: more of them only wait in the engine, where they cannot be left out when their time is over. */
const MAX_SEARCHES = 32;

/** The generations of the search index in one Elasticsearch or OpenSearch. */
export class ElasticsearchSearchIndexVersions implements SearchIndexVersions {
  private readonly parts: IndexDeps;
  private activations = 0;
  private cached: { readonly index: SearchIndex | undefined; readonly until: number } | undefined;

  constructor(
    engine: SearchEngine,
    private readonly clock: Clock,
  ) {
    this.parts = { engine, indexVersions: new IndexVersions(engine), searches: new Semaphore(MAX_SEARCHES) };
  }

  async live(): Promise<SearchIndex | undefined> {
    if (this.cached !== undefined && performance.now() < this.cached.until) return this.cached.index;
    const { activations } = this;
    const index = await withinLimits(async (signal) => {
      const indexVersion = await this.parts.indexVersions.live(signal);
      return indexVersion === undefined ? undefined : await this.readWholeIndex(indexVersion, signal);
    });
    // An answer that was on its way while another index took over is out of date.
    if (activations === this.activations) this.cached = { index, until: performance.now() + LIVE_CACHE_MS };
    return index;
  }

  async create(identity: IndexIdentity): Promise<SearchIndex> {
    const indexVersion = await this.parts.indexVersions.beginOrContinue(identity);
    const index = await this.readWholeIndex(indexVersion);
    if (index === undefined) {
      // What is left of a damaged one is no base to go on from.
      await this.indexOf(indexVersion).drop();
      return this.create(identity);
    }
    if (!(ALL_TYPES in indexVersion.indices)) await this.createIndexFor(indexVersion);
    return index;
  }

  async activate(index: SearchIndex): Promise<void> {
    await this.parts.indexVersions.activate(toIndexVersion(index), this.clock.now());
    this.forgetLive();
  }

  async retire(index: SearchIndex): Promise<void> {
    await this.parts.indexVersions.retire(toIndexVersion(index), this.clock.now());
    this.forgetLive();
  }

  async requestRebuild(): Promise<void> {
    const live = await this.parts.indexVersions.live();
    if (live === undefined) return;
    await this.parts.indexVersions.markOutdated(live.id);
    this.forgetLive();
  }

  async state(): Promise<IndexVersionsState> {
    const all = await this.parts.indexVersions.list();
    const live = all.find(({ state }) => state === 'live');
    const building = all.findLast(({ state }) => state === 'building');
    const isThere = live !== undefined && (await this.readWholeIndex(live)) !== undefined;
    return {
      ...(isThere ? { live: { name: this.nameOf(live), isOutdated: live.outdated === true } } : {}),
      ...(building === undefined
        ? {}
        : {
            building: {
              name: this.nameOf(building),
              ...(building.progress === undefined ? {} : { progress: building.progress }),
            },
          }),
    };
  }

  async deleteRetired(): Promise<void> {
    const before = this.clock.now() - RETIRED_FOR_MS;
    for (const indexVersion of await this.parts.indexVersions.list()) {
      if (indexVersion.retiredMs === undefined || indexVersion.retiredMs >= before) continue;
      await this.indexOf(indexVersion).drop();
    }
  }

  private forgetLive(): void {
    this.activations++;
    this.cached = undefined;
  }

  private nameOf({ id }: IndexVersion): string {
    return this.parts.engine.names.ofIndexVersion(id);
  }

  /** One of another layout, or to be replaced, counts as made from something else and is built anew. */
  private indexOf({ id, identity, layout, outdated }: IndexVersion): ElasticsearchSearchIndex {
    const mapping = [
      identity.mapping,
      ...(layout === LAYOUT ? [] : [`in layout ${layout}`]),
      ...(outdated === true ? ['to be replaced'] : []),
    ].join(', ');
    return new ElasticsearchSearchIndex(this.parts, id, { ...identity, mapping }, layout);
  }

  /** `undefined` when an index of the generation was removed, or put back from elsewhere. */
  private async readWholeIndex(
    indexVersion: IndexVersion,
    signal?: AbortSignal,
  ): Promise<ElasticsearchSearchIndex | undefined> {
    const index = this.indexOf(indexVersion);
    const found = new Set(Object.values(await index.identities(signal)));
    return Object.values(indexVersion.indices).every((uuid) => found.has(uuid)) ? index : undefined;
  }

  /** Made before the first document comes, which would wait for it. */
  private async createIndexFor({ id }: IndexVersion): Promise<void> {
    const { engine, indexVersions } = this.parts;
    const shape = buildMappings(engine.names.documents(id), { product: 'stratalog', indexVersion: id });
    const uuid = await ensureIndex(engine.client, shape).catch((error: unknown) => {
      // Nothing is set wrongly: the name is ours, and random.
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

import { InvalidSettingError, UnavailableError } from '@stratalog/model';
import {
  Semaphore,
  withinLimits,
  type Clock,
  type GenerationsState,
  type IndexIdentity,
  type SearchIndex,
  type SearchIndexes,
} from '@stratalog/ports';
import { ensureIndex } from './ensure-index';
import { ALL_TYPES, Generations, type Generation } from './generations';
import { LAYOUT, mappingsOf } from './mappings-of';
import type { SearchEngine } from './search-engine';
import { ElasticsearchSearchIndex, type IndexParts } from './search-index';

/** Another process may promote an index; a reader notices within this time. */
const LIVE_CACHE_MS = 1_000;
/** Longer than a search may take, so that none meets an index that is gone. */
const RETIRED_FOR_MS = 120_000;

/** Searches of this process under way at a time: more of them only wait in the engine, where they cannot be left out when their time is over. */
const MAX_SEARCHES = 32;

/** The generations of the search index in one Elasticsearch or OpenSearch. */
export class ElasticsearchSearchIndexes implements SearchIndexes {
  private readonly parts: IndexParts;
  private promotions = 0;
  private cached: { readonly index: SearchIndex | undefined; readonly until: number } | undefined;

  constructor(
    engine: SearchEngine,
    private readonly clock: Clock,
  ) {
    this.parts = { engine, generations: new Generations(engine), searches: new Semaphore(MAX_SEARCHES) };
  }

  async live(): Promise<SearchIndex | undefined> {
    if (this.cached !== undefined && performance.now() < this.cached.until) return this.cached.index;
    const { promotions } = this;
    const index = await withinLimits(async (signal) => {
      const generation = await this.parts.generations.live(signal);
      return generation === undefined ? undefined : await this.wholeIndexOf(generation, signal);
    });
    // An answer that was on its way while another index took over is out of date.
    if (promotions === this.promotions) this.cached = { index, until: performance.now() + LIVE_CACHE_MS };
    return index;
  }

  async create(identity: IndexIdentity): Promise<SearchIndex> {
    const generation = await this.parts.generations.beginOrContinue(identity);
    const index = await this.wholeIndexOf(generation);
    if (index === undefined) {
      // What is left of a damaged one is no base to go on from.
      await this.indexOf(generation).drop();
      return this.create(identity);
    }
    if (!(ALL_TYPES in generation.indices)) await this.makeIndexOf(generation);
    return index;
  }

  async promote(index: SearchIndex): Promise<void> {
    await this.parts.generations.promote(generationOf(index), this.clock.now());
    this.forgetLive();
  }

  async retire(index: SearchIndex): Promise<void> {
    await this.parts.generations.retire(generationOf(index), this.clock.now());
    this.forgetLive();
  }

  async requestRebuild(): Promise<void> {
    const live = await this.parts.generations.live();
    if (live === undefined) return;
    await this.parts.generations.markOutdated(live.id);
    this.forgetLive();
  }

  async state(): Promise<GenerationsState> {
    const all = await this.parts.generations.list();
    const live = all.find(({ state }) => state === 'live');
    const building = all.findLast(({ state }) => state === 'building');
    const isThere = live !== undefined && (await this.wholeIndexOf(live)) !== undefined;
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

  async sweep(): Promise<void> {
    const before = this.clock.now() - RETIRED_FOR_MS;
    for (const generation of await this.parts.generations.list()) {
      if (generation.retiredMs === undefined || generation.retiredMs >= before) continue;
      await this.indexOf(generation).drop();
    }
  }

  private forgetLive(): void {
    this.promotions++;
    this.cached = undefined;
  }

  private nameOf({ id }: Generation): string {
    return this.parts.engine.names.ofGeneration(id);
  }

  /** One of another layout, or to be replaced, counts as made from something else and is built anew. */
  private indexOf({ id, identity, layout, outdated }: Generation): ElasticsearchSearchIndex {
    const mapping = [
      identity.mapping,
      ...(layout === LAYOUT ? [] : [`in layout ${layout}`]),
      ...(outdated === true ? ['to be replaced'] : []),
    ].join(', ');
    return new ElasticsearchSearchIndex(this.parts, id, { ...identity, mapping }, layout);
  }

  /** `undefined` when an index of the generation was removed, or put back from elsewhere. */
  private async wholeIndexOf(
    generation: Generation,
    signal?: AbortSignal,
  ): Promise<ElasticsearchSearchIndex | undefined> {
    const index = this.indexOf(generation);
    const found = new Set(Object.values(await index.identities(signal)));
    return Object.values(generation.indices).every((uuid) => found.has(uuid)) ? index : undefined;
  }

  /** Made before the first document comes, which would wait for it. */
  private async makeIndexOf({ id }: Generation): Promise<void> {
    const { engine, generations } = this.parts;
    const shape = mappingsOf(engine.names.documents(id), { product: 'stratalog', generation: id });
    const uuid = await ensureIndex(engine.client, shape).catch((error: unknown) => {
      // Nothing is set wrongly: the name is ours, and random.
      throw error instanceof InvalidSettingError
        ? new UnavailableError('The search engine has an index in the way of a new one', { cause: error })
        : error;
    });
    await generations.addIndex(id, uuid);
  }
}

function generationOf(index: SearchIndex): string {
  if (!(index instanceof ElasticsearchSearchIndex)) {
    throw new TypeError(`${index.name} is not an index in the search engine`);
  }
  return index.generation;
}

import {
  Semaphore,
  withinLimits,
  type Clock,
  type IndexIdentity,
  type SearchIndex,
  type SearchIndexes,
} from '@stratalog/ports';
import { Generations, type Generation } from './generations';
import { LAYOUT } from './mappings-of';
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
  private readonly known = new Map<string, Promise<ElasticsearchSearchIndex>>();
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
    const generation = await withinLimits((signal) => this.parts.generations.live(signal));
    const index = generation === undefined ? undefined : await this.indexOf(generation);
    // An answer that was on its way while another index took over is out of date.
    if (promotions === this.promotions) this.cached = { index, until: performance.now() + LIVE_CACHE_MS };
    return index;
  }

  async create(identity: IndexIdentity): Promise<SearchIndex> {
    const generation = await this.parts.generations.beginOrContinue(identity);
    const index = await this.indexOf(generation);
    if (index.identity.mapping === identity.mapping) return index;
    // What is left of a damaged one is no base to go on from.
    await index.drop();
    return this.create(identity);
  }

  async promote(index: SearchIndex): Promise<void> {
    if (!(index instanceof ElasticsearchSearchIndex)) {
      throw new TypeError(`${index.name} is not an index in the search engine`);
    }
    await this.parts.generations.promote(index.generation, this.clock.now());
    this.promotions++;
    this.cached = undefined;
  }

  async sweep(): Promise<void> {
    const before = this.clock.now() - RETIRED_FOR_MS;
    for (const generation of await this.parts.generations.list()) {
      if (generation.retiredMs === undefined || generation.retiredMs >= before) continue;
      this.known.delete(generation.id);
      await new ElasticsearchSearchIndex(
        this.parts,
        generation.id,
        generation.identity,
        generation.layout,
      ).drop();
    }
  }

  private indexOf(generation: Generation): Promise<ElasticsearchSearchIndex> {
    let index = this.known.get(generation.id);
    if (index === undefined) {
      index = this.checked(generation);
      this.known.set(generation.id, index);
      index.catch(() => this.known.delete(generation.id));
    }
    return index;
  }

  /** An index of another layout, or one that lost a part, counts as made from something else and is built anew. */
  private async checked({ id, identity, layout, indices }: Generation): Promise<ElasticsearchSearchIndex> {
    const index = new ElasticsearchSearchIndex(this.parts, id, identity, layout);
    const found = new Set(Object.values(await index.identities()));
    const isWhole = Object.values(indices).every((uuid) => found.has(uuid));
    if (layout === LAYOUT && isWhole) return index;
    const mapping = `${identity.mapping} in layout ${layout}${isWhole ? '' : ', damaged'}`;
    return new ElasticsearchSearchIndex(this.parts, id, { ...identity, mapping }, layout);
  }
}

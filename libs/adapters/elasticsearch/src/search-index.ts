import {
  FaultError,
  InvalidSettingError,
  UnavailableError,
  needsFilterKeys,
  type PartitionOffsets,
  type SearchDocument,
  type SearchRequest,
  type SearchResult,
} from '@stratalog/model';
import {
  withinLimits,
  type EntryFingerprint,
  type IndexIdentity,
  type SearchIndex,
  type Semaphore,
} from '@stratalog/ports';
import { bulkWrite, type RefusedDocument } from './bulk-writer';
import { engineDocumentOf } from './engine-document-of';
import { ensureIndex } from './ensure-index';
import type { Generations } from './generations';
import { IndexPosition } from './index-position';
import { LAYOUT, mappingsOf } from './mappings-of';
import { Refresher } from './refresher';
import { searchBodyOf, searchResultOf, type HitSource } from './search-body';
import type { SearchEngine } from './search-engine';
import { abortedBy, answered } from './translate-error';

/** What all generations of one engine share. */
export interface IndexParts {
  readonly engine: SearchEngine;
  readonly generations: Generations;
  /** The turns of searches. */
  readonly searches: Semaphore;
}

/** One generation of the search index: an index of the engine for each entity type, and a position. */
export class ElasticsearchSearchIndex implements SearchIndex {
  readonly name: string;
  private readonly storedPosition: IndexPosition;
  private readonly refresher: Refresher;
  private readonly ready = new Map<string, Promise<string>>();
  /** Indices that were written to since their last refresh, each with the number of the last write. */
  private readonly unrefreshed = new Map<string, number>();
  private writes = 0;

  constructor(
    private readonly parts: IndexParts,
    readonly generation: string,
    readonly identity: IndexIdentity,
    private readonly layout: number,
  ) {
    this.name = parts.engine.names.ofGeneration(generation);
    this.storedPosition = new IndexPosition(parts.engine, generation);
    this.refresher = new Refresher(parts.engine.client);
  }

  position(): Promise<PartitionOffsets> {
    return this.storedPosition.read();
  }

  /** First the documents, then the refresh, then the position: whoever reads a position finds what it promises. */
  async write(documents: readonly SearchDocument[], position?: PartitionOffsets): Promise<void> {
    const refused = documents.length === 0 ? [] : await this.writeDocuments(documents);
    if (position !== undefined || refused.length > 0) await this.refresh();
    if (refused.length > 0) {
      const reasons = refused.map(({ urn, reason }) => `${urn}: ${reason}`).join('; ');
      throw new FaultError(`The search engine refused ${refused.length} documents: ${reasons}`);
    }
    if (position !== undefined) await this.storedPosition.moveTo(position);
  }

  search(request: SearchRequest): Promise<SearchResult & { readonly position: PartitionOffsets }> {
    return withinLimits((signal) => this.parts.searches.run(() => this.ask(request, signal), signal));
  }

  async fingerprintsAfter(after: string | undefined, limit: number): Promise<readonly EntryFingerprint[]> {
    const { client } = this.parts.engine;
    const { hits } = await answered(
      client.search<EntryFingerprint>({
        index: this.name,
        size: limit,
        sort: [{ urn: { order: 'asc', unmapped_type: 'keyword' } }],
        allow_partial_search_results: false,
        _source: ['urn', 'seq', 'fingerprint'],
        ...(after === undefined ? {} : { search_after: [after] }),
      }),
    );
    return hits.hits.flatMap(({ _source }) => (_source === undefined ? [] : [_source]));
  }

  async drop(): Promise<void> {
    const { engine, generations } = this.parts;
    const indices = Object.keys(await this.identities());
    // By name, because engines do not remove what a pattern matches.
    if (indices.length > 0) {
      await answered(engine.client.indices.delete({ index: indices, ignore_unavailable: true }));
    }
    await this.storedPosition.remove();
    await generations.remove(this.generation);
  }

  /** The engine's identities of this generation's indices, by their names. */
  async identities(): Promise<Readonly<Record<string, string | undefined>>> {
    const found = await answered(this.parts.engine.client.indices.get({ index: this.name }));
    return Object.fromEntries(
      Object.entries(found).map(([name, { settings }]) => [name, settings?.index?.uuid]),
    );
  }

  /** The position is read first: the answer reflects at least that much. */
  private async ask(
    request: SearchRequest,
    signal: AbortSignal | undefined,
  ): Promise<SearchResult & { readonly position: PartitionOffsets }> {
    const { client, names } = this.parts.engine;
    if (this.layout !== LAYOUT && needsFilterKeys(request)) {
      throw new UnavailableError('The search index is being rebuilt, and cannot filter or order until it is');
    }
    const body = searchBodyOf(request);
    const position = await this.storedPosition.read(signal);
    // Without a name the engine would search all that it has.
    if (request.entityTypes.length === 0)
      return { ...searchResultOf(request, { hits: { hits: [] } }), position };
    const answer = await answered(
      client.search<HitSource>(
        {
          ...body,
          index: request.entityTypes.map((type) => names.documents(this.generation, type)),
          // Nothing was ever written of this type.
          ignore_unavailable: true,
        },
        abortedBy(signal),
      ),
    );
    return { ...searchResultOf(request, answer), position };
  }

  private async writeDocuments(documents: readonly SearchDocument[]): Promise<readonly RefusedDocument[]> {
    const types = [...new Set(documents.map(({ entityType }) => entityType))];
    const indices = await Promise.all(types.map((type) => this.indexOf(type)));
    const { client, names } = this.parts.engine;
    const refused = await bulkWrite(
      client,
      documents.map((document) => ({
        index: names.documents(this.generation, document.entityType),
        document: engineDocumentOf(document),
      })),
    );
    this.writes++;
    for (const index of indices) this.unrefreshed.set(index, this.writes);
    return refused;
  }

  /** Makes everything that was written findable. Should it fail, the next one does it. */
  private async refresh(): Promise<void> {
    const due = [...this.unrefreshed];
    await this.refresher.refresh(due.map(([index]) => index));
    // One that was written to meanwhile has another number.
    for (const [index, write] of due)
      if (this.unrefreshed.get(index) === write) this.unrefreshed.delete(index);
  }

  /** The index of an entity type, made when its first document comes. */
  private indexOf(entityType: string): Promise<string> {
    let ready = this.ready.get(entityType);
    if (ready === undefined) {
      ready = this.makeReady(entityType);
      this.ready.set(entityType, ready);
      ready.catch(() => this.ready.delete(entityType));
    }
    return ready;
  }

  private async makeReady(entityType: string): Promise<string> {
    const { engine, generations } = this.parts;
    const index = engine.names.documents(this.generation, entityType);
    const registered = (await generations.list()).find(({ id }) => id === this.generation);
    if (registered === undefined) {
      throw new UnavailableError(`The generation ${this.generation} of the search index was dropped`);
    }
    // One that is registered is not made again: it would be empty, and the position says that it is not.
    if (entityType in registered.indices) return index;
    const mark = { product: 'stratalog', generation: this.generation, entityType } as const;
    const uuid = await ensureIndex(engine.client, mappingsOf(index, mark)).catch((error: unknown) => {
      // No document is to blame.
      throw error instanceof InvalidSettingError
        ? new UnavailableError(error.message, { cause: error })
        : error;
    });
    await generations.addIndex(this.generation, entityType, uuid);
    return index;
  }
}

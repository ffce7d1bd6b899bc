import type { estypes } from '@elastic/elasticsearch';
import {
  FaultError,
  UnavailableError,
  needsFilterKeys,
  type PartitionSequences,
  type SearchDocument,
  type SearchRequest,
  type SearchResult,
} from '@stratalog/model';
import {
  withinLimits,
  type BuildProgress,
  type EntryFingerprint,
  type IndexIdentity,
  type SearchIndex,
  type Semaphore,
} from '@stratalog/ports';
import { bulkWrite, type RejectedDocument } from '../documents/bulk-writer';
import { toEngineDocument } from '../documents/to-engine-document';
import type { IndexVersions } from '../index-versions/index-versions';
import { documentId } from '../engine/index-names';
import { IndexPosition } from '../index-versions/index-position';
import { FIRST_LAYOUT_IN_ONE_INDEX, FIRST_LAYOUT_WITH_KEYS } from '../engine/build-mappings';
import { Refresher } from '../documents/refresher';
import { ofTypes, buildSearchBody, toSearchResult, type HitSource } from './search-body';
import type { SearchEngine } from '../engine/search-engine';
import { abortedBy, answered } from '../engine/translate-error';

/** What all generations of one engine share. */
export interface IndexDeps {
  readonly engine: SearchEngine;
  readonly indexVersions: IndexVersions;
  /** The turns of searches. */
  readonly searches: Semaphore;
}

/** One generation of the search index: an index of the engine, and a position. */
export class ElasticsearchSearchIndex implements SearchIndex {
  readonly name: string;
  private readonly storedPosition: IndexPosition;
  private readonly refresher: Refresher;
  private readonly index: string;
  /** How often it was written to, and how many of these writes a refresh has covered. */
  private writes = 0;
  private refreshed = 0;

  constructor(
    private readonly parts: IndexDeps,
    readonly indexVersion: string,
    readonly identity: IndexIdentity,
    private readonly layout: number,
  ) {
    this.name = parts.engine.names.ofIndexVersion(indexVersion);
    this.index = parts.engine.names.documents(indexVersion);
    this.storedPosition = new IndexPosition(parts.engine, indexVersion);
    this.refresher = new Refresher(parts.engine.client, this.index);
  }

  position(): Promise<PartitionSequences> {
    return this.storedPosition.read();
  }

  /** First the documents, then the refresh, then the position: whoever reads a position finds what it promises. */
  async write(documents: readonly SearchDocument[], position?: PartitionSequences): Promise<void> {
    const rejected = documents.length === 0 ? [] : await this.writeDocuments(documents);
    if (position !== undefined || rejected.length > 0) await this.refresh();
    if (rejected.length > 0) {
      const reasons = rejected.map(({ urn, reason }) => `${urn}: ${reason}`).join('; ');
      throw new FaultError(`The search engine refused ${rejected.length} documents: ${reasons}`);
    }
    if (position !== undefined) await this.storedPosition.moveTo(position);
  }

  search(request: SearchRequest): Promise<SearchResult & { readonly position: PartitionSequences }> {
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

  async count(): Promise<number> {
    const { client } = this.parts.engine;
    return (await answered(client.count({ index: this.index }))).count;
  }

  async filterPresent(urns: readonly string[]): Promise<readonly string[]> {
    if (urns.length === 0) return [];
    const { client } = this.parts.engine;
    const ids = urns.map(documentId);
    const { docs } = await answered(client.mget({ index: this.index, ids, _source: false }));
    return urns.filter((_, at) => {
      const found = docs[at];
      return found !== undefined && 'found' in found && found.found;
    });
  }

  noteProgress(progress: BuildProgress): Promise<void> {
    return this.parts.indexVersions.noteProgress(this.indexVersion, progress);
  }

  async drop(): Promise<void> {
    const { engine, indexVersions } = this.parts;
    const indices = Object.keys(await this.identities());
    // By name, because engines do not remove what a pattern matches.
    if (indices.length > 0) {
      await answered(engine.client.indices.delete({ index: indices, ignore_unavailable: true }));
    }
    await this.storedPosition.remove();
    await indexVersions.remove(this.indexVersion);
  }

  /** The engine's identities of this generation's indices, by their names. */
  async identities(signal?: AbortSignal): Promise<Readonly<Record<string, string | undefined>>> {
    const { client } = this.parts.engine;
    const asked = { index: this.name, filter_path: '*.settings.index.uuid' };
    const found = await answered(client.indices.get(asked, abortedBy(signal)));
    return Object.fromEntries(
      Object.entries(found).map(([name, { settings }]) => [name, settings?.index?.uuid]),
    );
  }

  /** The position is read first: the answer reflects at least that much. */
  private async ask(
    request: SearchRequest,
    signal: AbortSignal | undefined,
  ): Promise<SearchResult & { readonly position: PartitionSequences }> {
    if (this.layout < FIRST_LAYOUT_WITH_KEYS && needsFilterKeys(request)) {
      throw new UnavailableError('The search index is being rebuilt, and cannot filter or order until it is');
    }
    const body = this.toBody(request);
    const position = await this.storedPosition.read(signal);
    // Without a name the engine would search all that it has.
    if (request.entityTypes.length === 0)
      return { ...toSearchResult(request, { hits: { hits: [] } }), position };
    const { client } = this.parts.engine;
    const answer = await answered(client.search<HitSource>(body, abortedBy(signal)));
    return { ...toSearchResult(request, answer), position };
  }

  private toBody(request: SearchRequest): estypes.SearchRequest {
    const { names } = this.parts.engine;
    const { entityTypes } = request;
    if (this.layout >= FIRST_LAYOUT_IN_ONE_INDEX)
      return { ...buildSearchBody(request, ofTypes(entityTypes)), index: this.index };
    return {
      ...buildSearchBody(request),
      index: entityTypes.map((type) => names.documentsOfType(this.indexVersion, type)),
      // Nothing was ever written of this type.
      ignore_unavailable: true,
    };
  }

  private async writeDocuments(documents: readonly SearchDocument[]): Promise<readonly RejectedDocument[]> {
    const { client } = this.parts.engine;
    const rejected = await bulkWrite(client, this.index, documents.map(toEngineDocument));
    this.writes++;
    return rejected;
  }

  /** Makes everything that was written findable. Should it fail, the next one does it. */
  private async refresh(): Promise<void> {
    const { writes } = this;
    if (writes === this.refreshed) return;
    await this.refresher.refresh();
    this.refreshed = Math.max(this.refreshed, writes);
  }
}

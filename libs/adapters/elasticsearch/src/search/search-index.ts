import type { estypes } from '@elastic/elasticsearch';
import {
  FaultError,
  type Facet,
  type FacetRequest,
  type PartitionSequences,
  type SearchDocument,
  type SearchHit,
  type SearchRequest,
  type SearchResult,
} from '@stratalog/domain';
import { withinLimits, type Semaphore } from '@stratalog/concurrency';
import type { EntryFingerprint, IndexIdentity, IndexVersion, SearchIndex } from '@stratalog/ports';
import { bulkWrite, type RejectedDocument } from '../documents/bulk-writer';
import { toEngineDocument } from '../documents/to-engine-document';
import { documentId } from '../engine/index-names';
import { IndexPosition } from '../index-versions/index-position';
import { SEARCH_VERSIONS } from '../index-versions/version-registry';
import { Refresher } from '../documents/refresher';
import { MAX_BUCKETS, buildCountBody, buildSearchBody, toSearchResult, type HitSource } from './search-body';
import { readFacets, selectInexact, type FacetCounts } from './facets';
import type { SearchEngine } from '../engine/search-engine';
import { abortedBy, answered } from '../engine/translate-error';

/** The body of the document that keeps the place of a hard-deleted entity. */
const NO_VALUES = '{}';

/** The dependencies that all versions of one engine share. */
interface IndexDeps {
  readonly engine: SearchEngine;
  /** Limits concurrent searches. */
  readonly searches: Semaphore;
}

/** Implements one version of the search index: an index of the engine, and a checkpoint. */
export class ElasticsearchSearchIndex implements SearchIndex {
  readonly name: string;
  readonly identity: IndexIdentity;
  private readonly checkpoint: IndexPosition;
  private readonly refresher: Refresher;
  private readonly index: string;
  /** Number of writes, and number of writes that a refresh has covered. */
  private writes = 0;
  private refreshed = 0;

  constructor(
    private readonly deps: IndexDeps,
    { id, name, identity }: IndexVersion,
  ) {
    this.name = name;
    this.identity = identity;
    this.index = deps.engine.names.documents(id);
    this.checkpoint = new IndexPosition(deps.engine, SEARCH_VERSIONS, id);
    this.refresher = new Refresher(deps.engine.client, this.index);
  }

  position(): Promise<PartitionSequences> {
    return this.checkpoint.read();
  }

  /**
   * Writes the documents, then refreshes, then moves the checkpoint, so that searches see everything that a checkpoint
   * covers.
   */
  async write(documents: readonly SearchDocument[], position?: PartitionSequences): Promise<void> {
    const rejected = documents.length === 0 ? [] : await this.writeDocuments(documents);
    if (position !== undefined || rejected.length > 0) await this.refresh();
    if (rejected.length > 0) {
      const reasons = rejected.map(({ urn, reason }) => `${urn}: ${reason}`).join('; ');
      throw new FaultError(`The search engine rejected ${rejected.length} documents: ${reasons}`);
    }
    if (position !== undefined) await this.checkpoint.moveTo(position);
  }

  search(request: SearchRequest): Promise<SearchResult & { readonly position: PartitionSequences }> {
    return withinLimits((signal) => this.deps.searches.run(() => this.query(request, signal), signal));
  }

  async fingerprintsAfter(after: string | undefined, limit: number): Promise<readonly EntryFingerprint[]> {
    const { client } = this.deps.engine;
    const { hits } = await answered(
      client.search<EntryFingerprint>({
        index: this.name,
        size: limit,
        sort: [{ urn: { order: 'asc', unmapped_type: 'keyword' } }],
        allow_partial_search_results: false,
        _source: ['urn', 'fingerprint'],
        ...(after === undefined ? {} : { search_after: [after] }),
      }),
    );
    return hits.hits.flatMap(({ _source }) => (_source === undefined ? [] : [_source]));
  }

  async count(): Promise<number> {
    const { client } = this.deps.engine;
    return (await answered(client.count({ index: this.index }))).count;
  }

  async filterPresent(urns: readonly string[]): Promise<readonly string[]> {
    if (urns.length === 0) return [];
    const { client } = this.deps.engine;
    const ids = urns.map(documentId);
    const { docs } = await answered(client.mget({ index: this.index, ids, _source: false }));
    return urns.filter((_, at) => {
      const found = docs[at];
      return found !== undefined && 'found' in found && found.found;
    });
  }

  async readWords(limit: number): Promise<readonly string[]> {
    const { client } = this.deps.engine;
    const { aggregations } = await answered(
      client.search<never, { readonly words: estypes.AggregationsStringTermsAggregate }>({
        index: this.index,
        size: 0,
        query: { term: { removed: { value: false } } },
        aggs: { words: { terms: { field: 'words', size: Math.min(limit, MAX_BUCKETS) } } },
        allow_partial_search_results: false,
      }),
    );
    const buckets = (aggregations?.words.buckets ?? []) as readonly { readonly key: string }[];
    return buckets.map(({ key }) => key);
  }

  async readValues(urns: readonly string[]): Promise<ReadonlyMap<string, SearchHit['values']>> {
    if (urns.length === 0) return new Map();
    const { client } = this.deps.engine;
    const ids = urns.map(documentId);
    const { docs } = await answered(
      client.mget<HitSource>({ index: this.index, ids, _source: ['urn', 'body'] }),
    );
    const sources = docs.flatMap((found) => ('_source' in found ? (found._source ?? []) : []));
    return new Map(
      sources
        .filter(({ body }) => body !== NO_VALUES)
        .map(({ urn, body }) => [urn, JSON.parse(body) as SearchHit['values']]),
    );
  }

  /** Reads the checkpoint first: the answer reflects at least that state. */
  private async query(
    request: SearchRequest,
    signal: AbortSignal | undefined,
  ): Promise<SearchResult & { readonly position: PartitionSequences }> {
    const body = buildSearchBody(request);
    const position = await this.checkpoint.readRecent(signal);
    if (request.entityTypes.length === 0)
      return { ...toSearchResult(request, { hits: { hits: [] } }, readFacets(request, undefined)), position };
    const { client } = this.deps.engine;
    const answer = await answered(
      client.search<HitSource>({ ...body, index: this.index }, abortedBy(signal)),
    );
    const facets = await this.countFacets(request, answer.aggregations, signal);
    return { ...toSearchResult(request, answer, facets), position };
  }

  /** Reads the facets of an answer. Counts those again that a shard has not counted all values of. */
  private async countFacets(
    request: SearchRequest,
    counts: FacetCounts,
    signal: AbortSignal | undefined,
  ): Promise<readonly Facet[]> {
    const { client } = this.deps.engine;
    const again = new Map<FacetRequest, Facet>();
    for (const facet of selectInexact(request, counts)) {
      const body = buildCountBody(request, facet);
      const { aggregations } = await answered(
        client.search({ ...body, index: this.index }, abortedBy(signal)),
      );
      for (const counted of readFacets({ ...request, facets: [facet] }, aggregations))
        again.set(facet, counted);
    }
    return readFacets(request, counts).map((counted, at) => {
      const facet = request.facets[at];
      return (facet && again.get(facet)) ?? counted;
    });
  }

  private async writeDocuments(documents: readonly SearchDocument[]): Promise<readonly RejectedDocument[]> {
    const { client } = this.deps.engine;
    const { index } = this;
    const rejected = await bulkWrite(
      client,
      documents.map((document) => ({
        index,
        id: documentId(document.urn),
        seq: document.seq,
        urn: document.urn,
        document: toEngineDocument(document),
      })),
    );
    this.writes++;
    return rejected;
  }

  /** Makes all written documents visible. After a failure the next refresh covers them. */
  private async refresh(): Promise<void> {
    const { writes } = this;
    if (writes === this.refreshed) return;
    await this.refresher.refresh();
    this.refreshed = Math.max(this.refreshed, writes);
  }
}

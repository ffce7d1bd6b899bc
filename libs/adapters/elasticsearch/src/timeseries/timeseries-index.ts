import { FaultError, entityTypeIn, type PartitionSequences, type TimeseriesEntry } from '@stratalog/domain';
import { withinLimits, type Semaphore } from '@stratalog/concurrency';
import type {
  EntryRange,
  EntryRef,
  IndexIdentity,
  IndexVersion,
  TimeseriesIndex,
  TimeseriesSize,
  TimeseriesStatisticsQuery,
  TimeseriesStatisticsResult,
} from '@stratalog/ports';
import { bulkWrite } from '../documents/bulk-writer';
import type { IndexShape } from '../engine/build-mappings';
import type { SearchEngine } from '../engine/search-engine';
import { answered } from '../engine/translate-error';
import { IndexPosition } from '../index-versions/index-position';
import { TIMESERIES_VERSIONS } from '../index-versions/version-registry';
import { aggregateSeries } from './aggregate-series';
import { buildSeriesMappings } from './build-series-mappings';
import { toValueDocument, toValueId } from './to-value-document';

export interface TimeseriesIndexDeps {
  readonly engine: SearchEngine;
  /** Limits concurrent searches. */
  readonly searches: Semaphore;
  /** Creates one more index of the version, unless it exists. */
  readonly addPart: (shape: IndexShape) => Promise<void>;
}

interface EntrySource {
  readonly urn: string;
  readonly aspect: string;
  readonly t: number;
  readonly key: string;
  readonly seq: number;
}

/** The first and the last time that the engine represents. Epoch ms. */
const [MIN_TIME_MS, MAX_TIME_MS] = [0, 8_640_000_000_000_000];

/**
 * Implements one version of the index of timeseries values: an index of the engine for each entity type and aspect that has
 * values, created with the first of them, and a checkpoint.
 */
export class ElasticsearchTimeseriesIndex implements TimeseriesIndex {
  readonly name: string;
  readonly identity: IndexIdentity;
  private readonly id: string;
  private readonly checkpoint: IndexPosition;
  /** The indices that this process knows to exist. */
  private readonly parts = new Set<string>();
  /** The indices with writes that no refresh has covered: at first all, because another process may have ended before its refresh. */
  private readonly written: Set<string>;

  constructor(
    private readonly deps: TimeseriesIndexDeps,
    { id, name, identity }: IndexVersion,
  ) {
    this.id = id;
    this.name = name;
    this.identity = identity;
    this.checkpoint = new IndexPosition(deps.engine, TIMESERIES_VERSIONS, id);
    this.written = new Set([name]);
  }

  position(): Promise<PartitionSequences> {
    return this.checkpoint.read();
  }

  async write(entries: readonly TimeseriesEntry[], position?: PartitionSequences): Promise<void> {
    for (const entry of entries) await this.ensurePart(entry);
    const { client } = this.deps.engine;
    const rejected = await bulkWrite(
      client,
      entries.map((entry) => ({
        index: this.findPart(entry),
        id: toValueId(entry),
        seq: entry.seq,
        urn: entry.urn,
        document: toValueDocument(entry),
      })),
    );
    for (const entry of entries) this.written.add(this.findPart(entry));
    if (rejected.length > 0) {
      const reasons = rejected.map(({ urn, reason }) => `${urn}: ${reason}`).join('; ');
      throw new FaultError(`The search engine rejected ${String(rejected.length)} values: ${reasons}`);
    }
    if (position === undefined) return;
    await this.refresh([...this.written]);
    await this.checkpoint.moveTo(position);
  }

  /** Another process may have ended before its refresh, so all indices are refreshed; one without writes costs little. */
  makeVisible(): Promise<void> {
    return this.refresh([this.name]);
  }

  /** After a failure the next refresh covers the same writes. */
  private async refresh(index: readonly string[]): Promise<void> {
    if (index.length === 0) return;
    this.written.clear();
    try {
      await answered(this.deps.engine.client.indices.refresh({ index: [...index] }));
    } catch (error) {
      for (const each of index) this.written.add(each);
      throw error;
    }
  }

  async listEntries(
    { urn, aspectName, startMs, endMs }: EntryRange,
    after: EntryRef | undefined,
    limit: number,
  ): Promise<readonly EntryRef[]> {
    const t = { gte: Math.max(startMs, MIN_TIME_MS), lte: Math.min(endMs, MAX_TIME_MS) };
    const ofAspect = aspectName === undefined ? [] : [{ term: { aspect: aspectName } }];
    const { hits } = await answered(
      this.deps.engine.client.search<EntrySource>({
        index: aspectName === undefined ? this.name : this.findPart({ urn, aspectName }),
        ignore_unavailable: true,
        size: limit,
        query: { bool: { filter: [{ term: { urn } }, { range: { t } }, ...ofAspect] } },
        sort: ['t', 'key', 'aspect'],
        track_total_hits: false,
        allow_partial_search_results: false,
        ...(after === undefined
          ? {}
          : { search_after: [after.timestampMs, after.valueKey, after.aspectName] }),
      }),
    );
    return hits.hits.flatMap(({ _source }) => (_source === undefined ? [] : [toEntryRef(_source)]));
  }

  async deleteEntries(entries: readonly EntryRef[], seq: number): Promise<void> {
    await bulkWrite(
      this.deps.engine.client,
      entries.map((entry) => ({
        index: this.findPart(entry),
        id: toValueId(entry),
        seq: Math.max(entry.seq, seq),
        urn: entry.urn,
      })),
    );
    for (const entry of entries) this.written.add(this.findPart(entry));
  }

  aggregate(query: TimeseriesStatisticsQuery): Promise<TimeseriesStatisticsResult | undefined> {
    const { engine, searches } = this.deps;
    const { urnPrefix: urn, aspectName } = query;
    // The prefix of a type counts as a urn without an id.
    const index = this.findPart({ urn: `${urn}-`, aspectName });
    return withinLimits((signal) =>
      searches.run(() => aggregateSeries({ client: engine.client, index, signal }, query), signal),
    );
  }

  async count(): Promise<number> {
    const { client } = this.deps.engine;
    return (await answered(client.count({ index: this.name }))).count;
  }

  async measureSizes(): Promise<readonly TimeseriesSize[]> {
    const { client } = this.deps.engine;
    const [stats, found] = await Promise.all([
      answered(client.indices.stats({ index: this.name, metric: 'store' })),
      answered(client.indices.getMapping({ index: this.name })),
    ]);
    return Object.entries(found).flatMap(([index, { mappings }]) => {
      const { entityType, aspectName } = (mappings._meta ?? {}) as Record<string, string | undefined>;
      const bytes = stats.indices?.[index]?.primaries?.store?.size_in_bytes ?? 0;
      return entityType === undefined || aspectName === undefined ? [] : [{ entityType, aspectName, bytes }];
    });
  }

  private findPart({ urn, aspectName }: { readonly urn: string; readonly aspectName: string }): string {
    return this.deps.engine.names.series(this.id, { entityType: entityTypeIn(urn), aspectName });
  }

  private async ensurePart({ urn, aspectName }: TimeseriesEntry): Promise<void> {
    const index = this.findPart({ urn, aspectName });
    if (this.parts.has(index)) return;
    const mark = {
      product: 'stratalog',
      indexVersion: this.id,
      entityType: entityTypeIn(urn),
      aspectName,
    } as const;
    await this.deps.addPart(buildSeriesMappings(index, mark));
    this.parts.add(index);
  }
}

function toEntryRef({ urn, aspect, t, key, seq }: EntrySource): EntryRef {
  return { urn, aspectName: aspect, timestampMs: t, valueKey: key, seq };
}

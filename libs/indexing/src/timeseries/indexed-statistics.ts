import {
  UnavailableError,
  covers,
  partitionOf,
  timeseriesFieldKey,
  type PartitionSequences,
  type TimeseriesField,
} from '@stratalog/domain';
import type {
  AspectStore,
  TimeseriesFilter,
  TimeseriesIndex,
  TimeseriesIndexVersions,
  TimeseriesStatistics,
  TimeseriesStatisticsQuery,
  TimeseriesStatisticsResult,
} from '@stratalog/ports';
import { isOfMapping } from '../same-identity';

export interface IndexedStatisticsDeps {
  readonly store: Pick<AspectStore, 'readPartitionSequences' | 'identity'>;
  readonly indexes: Pick<TimeseriesIndexVersions, 'live'>;
  /** Fingerprint of the rules of the model; an index of another one lacks fields. */
  readonly mapping: string;
  /** The fields that the index has of the values of an aspect. */
  readonly fieldsOf: (aspectName: string) => readonly TimeseriesField[] | undefined;
  /** Computes from the stored values, at any time. */
  readonly stored: TimeseriesStatistics;
}

/**
 * Computes statistics from the index of timeseries values when it includes everything that the store has, and from the stored
 * values otherwise. So every write is in the next answer, and nothing waits.
 *
 * **Source**: `docs/adr/0108-an-index-of-timeseries-values.md`.
 */
export class IndexedStatistics implements TimeseriesStatistics {
  constructor(private readonly deps: IndexedStatisticsDeps) {}

  async aggregate(query: TimeseriesStatisticsQuery): Promise<TimeseriesStatisticsResult> {
    return (await this.aggregateIndex(query)) ?? this.deps.stored.aggregate(query);
  }

  knowsTimeZone(name: string): Promise<boolean> {
    return this.deps.stored.knowsTimeZone(name);
  }

  private async aggregateIndex(
    query: TimeseriesStatisticsQuery,
  ): Promise<TimeseriesStatisticsResult | undefined> {
    if (!hasFields(query, this.deps.fieldsOf(query.aspectName) ?? [])) return undefined;
    try {
      const index = await this.deps.indexes.live();
      if (index === undefined || !this.isOfStore(index)) return undefined;
      const wanted = this.selectPartitions(query, await this.deps.store.readPartitionSequences());
      return covers(await index.position(), wanted) ? await index.aggregate(query) : undefined;
    } catch (error) {
      if (error instanceof UnavailableError) return undefined;
      throw error;
    }
  }

  private isOfStore({ identity }: TimeseriesIndex): boolean {
    const { storeId, epoch } = this.deps.store.identity;
    return (
      identity.storeId === storeId && identity.epoch === epoch && isOfMapping(identity, this.deps.mapping)
    );
  }

  /** Statistics of named entities need only the changes of their partitions. */
  private selectPartitions(
    { filter }: TimeseriesStatisticsQuery,
    sequences: PartitionSequences,
  ): PartitionSequences {
    const urns = listUrns(filter);
    if (urns === undefined) return sequences;
    const partitions = new Set(urns.map((urn) => partitionOf(urn, this.deps.store.identity.partitions)));
    return new Map([...sequences].filter(([partition]) => partitions.has(partition)));
  }
}

/** Lists the entities that a filter names; `undefined` when it may select others too. */
function listUrns(filter: TimeseriesFilter | undefined): readonly string[] | undefined {
  const named = filter?.map((list) =>
    list.find(({ field, test, negated }) => field.source === 'urn' && test.kind === 'one-of' && !negated),
  );
  if (named === undefined || named.includes(undefined)) return undefined;
  return named.flatMap((criterion) =>
    criterion?.test.kind === 'one-of' ? criterion.test.values.map(String) : [],
  );
}

/** True when the index has every field that a query names. */
function hasFields(
  { filter, groups, metrics }: TimeseriesStatisticsQuery,
  fields: readonly TimeseriesField[],
): boolean {
  const known = new Set(fields.map(timeseriesFieldKey));
  const named = [
    ...(filter?.flat() ?? []),
    ...metrics,
    ...groups.flatMap((group) => (group.kind === 'value' ? [group] : [])),
  ];
  return named.every(
    ({ field }) =>
      field.source === 'urn' || field.source === 'timestamp' || known.has(timeseriesFieldKey(field)),
  );
}

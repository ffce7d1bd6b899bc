import {
  partitionOf,
  timeseriesValueId,
  type Edge,
  type EntityEdges,
  type FieldValue,
  type Proposal,
  type SearchDocument,
  type SearchField,
  type WriteOutcome,
} from '@stratalog/domain';
import type {
  AspectRef,
  LogRange,
  NewChange,
  NewTimeseriesValue,
  TimeseriesValueRef,
  WriteBatch,
  WriteSet,
  WriteSnapshot,
} from '@stratalog/ports';
import { analyzeField, analyzeNames, toFilterKeys, writtenNames } from '@stratalog/search-text';

export function datasetUrn(name: string): string {
  return `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
}

export function proposalFor(urn: string, overrides: Partial<Proposal> = {}): Proposal {
  return {
    entityType: 'dataset',
    urn,
    aspectName: 'datasetProperties',
    changeType: 'UPSERT',
    value: '{"description":"one"}',
    systemMetadata: {},
    actor: 'urn:li:corpuser:tester',
    ...overrides,
  };
}

/** A plain write of one aspect: the next version and the next seq, whatever the stored value. */
export interface PlainWrite extends AspectRef {
  readonly value: string;
}

/** A batch with a precomputed decision. */
export interface PlainBatch extends WriteBatch {
  readonly decide: (snapshot: WriteSnapshot) => WriteSet;
}

/** Builds the smallest decision that a store can apply: every write is a new version. */
export function plainBatch(ranges: readonly LogRange[], writes: readonly PlainWrite[]): PlainBatch {
  return { ranges, reads: uniqueRefs(writes), decide: (snapshot) => decidePlainly(writes, snapshot) };
}

function uniqueRefs(writes: readonly PlainWrite[]): readonly AspectRef[] {
  return [
    ...new Map(writes.map(({ urn, aspectName }) => [`${urn} ${aspectName}`, { urn, aspectName }])).values(),
  ];
}

function decidePlainly(writes: readonly PlainWrite[], snapshot: WriteSnapshot): WriteSet {
  const seqs = new Map(snapshot.seqs);
  const versions = new Map<string, number>();
  const changes = writes.map((write): NewChange => {
    const partition = snapshot.partitionOf(write.urn);
    const seq = (seqs.get(partition) ?? 0) + 1;
    const key = `${write.urn} ${write.aspectName}`;
    const version = (versions.get(key) ?? snapshot.lastVersion(write)) + 1;
    seqs.set(partition, seq);
    versions.set(key, version);
    const created = { time: snapshot.stamps.get(partition) ?? 0, actor: 'urn:li:corpuser:tester' };
    return { ...write, kind: 'upsert', partition, seq, version, systemMetadata: { runId: 'run-1' }, created };
  });
  const outcomes = changes.map(({ version, partition, seq }): WriteOutcome => ({
    kind: 'written',
    version,
    partition,
    seq,
  }));
  return { changes, deletions: [], refreshes: [], rejections: [], outcomes };
}

/**
 * Builds a batch that writes timeseries values unchanged, each with a change, after the key aspect that the
 * first value of an entity adds.
 */
export function timeseriesBatch(
  ranges: readonly LogRange[],
  timeseriesValues: readonly (TimeseriesValueRef &
    Pick<NewTimeseriesValue, 'value'> &
    Partial<Pick<NewTimeseriesValue, 'systemMetadata'>>)[],
): WriteBatch {
  const keys = [...new Set(timeseriesValues.map(({ urn }) => urn))].map((urn) => ({
    urn,
    aspectName: 'datasetKey',
    value: '{}',
  }));
  return {
    ranges,
    reads: uniqueRefs(keys),
    timeseriesValues,
    decide: (snapshot) => {
      const aspectCreated = decidePlainly(
        keys.filter(({ urn }) => snapshot.entity(urn)?.deleted !== false),
        snapshot,
      );
      const seqs = new Map(snapshot.seqs);
      for (const { partition, seq } of aspectCreated.changes) seqs.set(partition, seq);
      const own = timeseriesValues.map(
        (timeseriesValue): { change: NewChange; timeseriesValue: NewTimeseriesValue } => {
          const partition = snapshot.partitionOf(timeseriesValue.urn);
          const seq = (seqs.get(partition) ?? 0) + 1;
          seqs.set(partition, seq);
          const { urn, aspectName, timestampMs } = timeseriesValue;
          const { systemMetadata = { runId: `run-${String(seq)}` } } = timeseriesValue;
          const created = { time: snapshot.stamps.get(partition) ?? 0, actor: 'urn:li:corpuser:tester' };
          const change = { partition, seq, urn, aspectName, version: timestampMs, systemMetadata, created };
          return {
            change: { ...change, kind: 'timeseries' },
            timeseriesValue: { ...timeseriesValue, seq, systemMetadata },
          };
        },
      );
      const last = new Map(
        own.map(({ timeseriesValue }) => [timeseriesValueId(timeseriesValue), timeseriesValue]),
      );
      return {
        ...aspectCreated,
        changes: [...aspectCreated.changes, ...own.map(({ change }) => change)],
        timeseriesValues: [...last.values()],
      };
    },
  };
}

/** Returns the range that covers `count` records which follow `from` in the partition of `urn`. */
export function toRange(urn: string, partitions: number, from: number, count = 1): LogRange {
  return { partition: partitionOf(urn, partitions), from, to: from + count };
}

const NAME: SearchField = {
  name: 'name',
  type: 'WORD_GRAM',
  queryByDefault: true,
  boost: 10,
  autocomplete: true,
  aliases: [],
};
const TAGS_FIELD: SearchField = {
  name: 'tags',
  type: 'URN',
  queryByDefault: true,
  boost: 0.5,
  autocomplete: false,
  filterName: 'Tagged With',
  aliases: [],
};
const DESCRIPTION_FIELD: SearchField = {
  name: 'description',
  type: 'TEXT',
  queryByDefault: true,
  boost: 1,
  autocomplete: false,
  aliases: [],
};
const SIZE_FIELD: SearchField = {
  name: 'size',
  type: 'COUNT',
  queryByDefault: false,
  boost: 1,
  autocomplete: false,
  aliases: [],
};
export const SEARCH_FIELDS: ReadonlyMap<string, SearchField> = new Map(
  [NAME, TAGS_FIELD, DESCRIPTION_FIELD, SIZE_FIELD].map((field) => [field.name, field]),
);

/** Projects a document with the given field values, analysed as the indexer does it. */
export function projectDocument(
  urn: string,
  seq: number,
  values: Readonly<Record<string, readonly FieldValue[]>>,
  overrides: Partial<SearchDocument> = {},
): SearchDocument {
  const text = [...SEARCH_FIELDS.values()].flatMap((field) => {
    const own = values[field.name];
    return own === undefined ? [] : [analyzeField(field, own)];
  });
  text.push(analyzeNames(writtenNames(SEARCH_FIELDS, new Map(Object.entries(values)))));
  const facets = values.tags === undefined ? {} : { tags: values.tags.map(String) };
  const filters = toFilterKeys(new Map(Object.entries(values)), SEARCH_FIELDS);
  const flags = { removed: false, deleted: false, weight: 1 };
  return { urn, entityType: 'dataset', seq, ...flags, values, facets, text, filters, ...overrides };
}

const STAMP = { time: 1_000, actor: 'urn:li:corpuser:tester' };

/** Builds an edge with the fewest members. */
export function toEdge(
  source: string,
  relationship: string,
  destination: string,
  facts: Partial<Edge> = {},
): Edge {
  const flags = { isLineage: false, isUpstream: true };
  return { source, relationship, destination, ...flags, created: STAMP, updated: STAMP, ...facts };
}

/** Collects an entity's edges: per aspect the edges of one relationship, as `Relationship destination`. */
export function collectEdges(
  urn: string,
  seq: number,
  drawn: Readonly<Record<string, readonly string[]>>,
): EntityEdges {
  const sets = Object.entries(drawn).map(([aspectName, texts]) => ({
    aspectName,
    edges: texts.map((text) => {
      const [relationship = '', destination = ''] = text.split(' ');
      return toEdge(urn, relationship, destination);
    }),
  }));
  return { urn, seq, sets };
}

/** The same change without a value. */
export function toDeletion(change: NewChange): NewChange {
  const { partition, seq, urn, aspectName, version, systemMetadata, created } = change;
  return { partition, seq, urn, aspectName, kind: 'delete', version, systemMetadata, created };
}

/** What a decision returns that writes nothing. */
export const NO_WRITES: WriteSet = {
  changes: [],
  deletions: [],
  refreshes: [],
  rejections: [],
  outcomes: [],
};

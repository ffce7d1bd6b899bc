import type { estypes } from '@elastic/elasticsearch';
import { writeAlias } from './index-names';
import { FACETS, ORDER } from './field-members';
import { EMPTY_SLOT } from './place-slots';

/**
 * Version of the layout. Increase it when mappings or the form of documents change; indices of another layout are
 * rebuilt.
 */
export const LAYOUT = 6;

/** The mark in an index of the catalog, which distinguishes it from indices of other programs. */
export interface IndexMark {
  readonly product: 'stratalog';
  readonly indexVersion: string;
  /** Set for an index of timeseries values. */
  readonly entityType?: string;
  readonly aspectName?: string;
}

export interface IndexShape {
  readonly index: string;
  readonly settings: estypes.IndicesIndexSettings;
  readonly mappings: estypes.MappingTypeMapping;
  readonly aliases: Readonly<Record<string, estypes.IndicesAlias>>;
}

/** Maximum length of a placed token: a field's scope `.name:` and a token together exceed the engine's default. */
const MAX_PLACED_TOKEN_LENGTH = 2_000;

/**
 * Merge settings. Each batch is refreshed and leaves a small segment. With the default of ten segments per tier, merges
 * wrote each document eight times during indexing.
 */
const MERGE_POLICY = {
  'merge.policy.segments_per_tier': 30,
  'merge.policy.max_merge_at_once': 30,
} as const;

/**
 * Limit of fields, far above the searchable fields of any model and the annotated fields of any aspect: each field that
 * orders or counts documents is a field of the engine.
 */
const MAX_FIELDS = 10_000;
/** Maximum length of a pattern: a part of a text that a filter names, with its field name, after escaping. */
const MAX_PATTERN_LENGTH = 10_000;

const TOKENS = { type: 'keyword', doc_values: false } as const;

/**
 * Builds an index with these fields. It has one shard unless the settings say otherwise. Writers refresh it, never a timer.
 */
export function buildIndex(
  index: string,
  mark: IndexMark,
  {
    settings,
    mappings,
  }: { readonly settings?: estypes.IndicesIndexSettings; readonly mappings: estypes.MappingTypeMapping },
): IndexShape {
  return {
    index,
    aliases: { [writeAlias(index)]: { is_hidden: true } },
    settings: {
      number_of_shards: 1,
      auto_expand_replicas: '0-1',
      refresh_interval: '-1',
      ...MERGE_POLICY,
      'mapping.total_fields.limit': MAX_FIELDS,
      ...settings,
    },
    mappings: { dynamic: false, date_detection: false, _meta: { ...mark }, ...mappings },
  };
}

/** How an engine divides an index, so that nodes and processors share one search. */
export interface IndexDivision {
  readonly shards?: number;
  /** Number of slices of a shard, which processors of OpenSearch search at the same time for facets; absent: the engine decides. */
  readonly slices?: number;
}

function divideShards(slices: number): estypes.IndicesIndexSettings {
  return slices === 1
    ? { 'search.concurrent_segment_search.mode': 'none' }
    : { 'search.concurrent_segment_search.mode': 'auto', 'search.concurrent.max_slice_count': slices };
}

/**
 * Builds the index for the documents of all entity types.
 *
 * It does not depend on the model's fields: tokens contain the field name, and the engine adds fields for orders and
 * facets as documents bring them. So a new field in the model needs no new mapping.
 *
 * The source leaves out fields that only serve searches, because no reader needs them.
 */
export function buildMappings(
  index: string,
  mark: IndexMark,
  { shards = 1, slices }: IndexDivision = {},
): IndexShape {
  return buildIndex(index, mark, {
    settings: {
      number_of_shards: shards,
      ...(slices === undefined ? {} : divideShards(slices)),
      max_regex_length: MAX_PATTERN_LENGTH,
      analysis: {
        tokenizer: { blanks: { type: 'standard', max_token_length: MAX_PLACED_TOKEN_LENGTH } },
        filter: { empty_slots: { type: 'stop', stopwords: [EMPTY_SLOT] } },
        analyzer: { places: { type: 'custom', tokenizer: 'blanks', filter: ['empty_slots'] } },
      },
    },
    mappings: {
      dynamic_templates: [
        { orders: { path_match: `${ORDER}.*`, mapping: { type: 'keyword', index: false } } },
        { facets: { path_match: `${FACETS}.*`, mapping: { type: 'keyword', index: false } } },
      ],
      _source: { includes: ['urn', 'seq', 'fingerprint', 'body'] },
      properties: {
        urn: { type: 'keyword' },
        entityType: TOKENS,
        removed: { type: 'boolean' },
        deleted: { type: 'boolean' },
        weight: { type: 'float', index: false },
        tokens: TOKENS,
        keys: TOKENS,
        [ORDER]: { type: 'object', dynamic: true },
        [FACETS]: { type: 'object', dynamic: true },
        words: { type: 'keyword', index: false },
        tier1: TOKENS,
        tier2: TOKENS,
        tier3: TOKENS,
        places: { type: 'text', analyzer: 'places', norms: false, index_options: 'positions' },
      },
    },
  });
}

/** Builds the index of index versions and checkpoints, which is read by id only. */
export function buildMetaMappings(index: string): IndexShape {
  return {
    index,
    aliases: { [writeAlias(index)]: { is_hidden: true } },
    settings: { number_of_shards: 1, auto_expand_replicas: '0-1', hidden: true },
    mappings: { dynamic: false, _meta: { product: 'stratalog' } },
  };
}

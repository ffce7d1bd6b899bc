import type { estypes } from '@elastic/elasticsearch';
import { writeAlias } from './index-names';
import { FACETS, ORDER } from './field-members';
import { EMPTY_SLOT } from './place-slots';

/** Raised when mappings or the form of documents change: indices of another layout are built anew. */
export const LAYOUT = 3;
/** Documents of an older one cannot be filtered or ordered. */
export const FIRST_LAYOUT_WITH_KEYS = 2;
/** Older ones have an index for each entity type, and facets that cannot be counted. */
export const FIRST_LAYOUT_IN_ONE_INDEX = 3;

/** What an index of ours says of itself, so that one of somebody else is never taken for it. */
export interface IndexMark {
  readonly product: 'stratalog';
  readonly indexVersion: string;
}

export interface IndexShape {
  readonly index: string;
  readonly settings: estypes.IndicesIndexSettings;
  readonly mappings: estypes.MappingTypeMapping;
  readonly aliases: Readonly<Record<string, estypes.IndicesAlias>>;
}

/** A field of the scope `.name:` and a token; the engine's longest by default is shorter than both together can be. */
const MAX_PLACED_TOKEN_LENGTH = 2_000;

/**
 * Each batch is refreshed and leaves a small segment. With the engines' usual ten of a size, documents were written eight times over by
 * merges while they were being indexed.
 */
const MERGE_POLICY = {
  'merge.policy.segments_per_tier': 30,
  'merge.policy.max_merge_at_once': 30,
} as const;

/** Far above the searchable fields of any model; each that documents are ordered or counted by is a field of the engine's. */
const MAX_FIELDS = 10_000;
/** A part of a text that a filter names, with the name of its field, may be so long once its signs are escaped. */
const MAX_PATTERN_LENGTH = 10_000;

const TOKENS = { type: 'keyword', doc_values: false } as const;

/**
 * The index for the documents of all entity types. It does not depend on their fields: those are part of the tokens, and for orders and
 * facets the engine makes its own as documents bring them, so that a model with another field needs no other mapping.
 *
 * One shard, because facet counts are exact only within one. It is refreshed by who writes, never by the clock. What was made for
 * finding is not kept as source, since nobody reads it back.
 */
export function buildMappings(index: string, mark: IndexMark): IndexShape {
  return {
    index,
    aliases: { [writeAlias(index)]: { is_hidden: true } },
    settings: {
      number_of_shards: 1,
      auto_expand_replicas: '0-1',
      refresh_interval: '-1',
      ...MERGE_POLICY,
      'mapping.total_fields.limit': MAX_FIELDS,
      max_regex_length: MAX_PATTERN_LENGTH,
      analysis: {
        tokenizer: { blanks: { type: 'standard', max_token_length: MAX_PLACED_TOKEN_LENGTH } },
        filter: { empty_slots: { type: 'stop', stopwords: [EMPTY_SLOT] } },
        analyzer: { places: { type: 'custom', tokenizer: 'blanks', filter: ['empty_slots'] } },
      },
    },
    mappings: {
      dynamic: false,
      date_detection: false,
      dynamic_templates: [
        { orders: { path_match: `${ORDER}.*`, mapping: { type: 'keyword', index: false } } },
        { facets: { path_match: `${FACETS}.*`, mapping: { type: 'keyword', index: false } } },
      ],
      _meta: { ...mark },
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
        names: TOKENS,
        tier1: TOKENS,
        texts: TOKENS,
        places: { type: 'text', analyzer: 'places', norms: false, index_options: 'positions' },
      },
    },
  };
}

/** The index of generations and positions: read by id only. */
export function buildMetaMappings(index: string): IndexShape {
  return {
    index,
    aliases: { [writeAlias(index)]: { is_hidden: true } },
    settings: { number_of_shards: 1, auto_expand_replicas: '0-1', hidden: true },
    mappings: { dynamic: false, _meta: { product: 'stratalog' } },
  };
}

import { MERGE_POLICY, type IndexMark, type IndexShape } from '../engine/build-mappings';
import { writeAlias } from '../engine/index-names';

/** Version of the layout of indices of timeseries values. Increase it when mappings or the form of documents change. */
export const SERIES_LAYOUT = 1;

/** Limit of fields, far above the annotated fields of any aspect. */
const MAX_FIELDS = 10_000;

const TEXTS = { type: 'object', dynamic: true } as const;

/**
 * Builds the index of the values of one entity type and aspect. Documents bring their fields, so it does not depend on the
 * model. It has one shard, because each page of groups is exact only within one. Writers refresh it, never a timer.
 */
export function buildSeriesMappings(index: string, mark: IndexMark): IndexShape {
  return {
    index,
    aliases: { [writeAlias(index)]: { is_hidden: true } },
    settings: {
      number_of_shards: 1,
      auto_expand_replicas: '0-1',
      refresh_interval: '-1',
      ...MERGE_POLICY,
      'mapping.total_fields.limit': MAX_FIELDS,
    },
    mappings: {
      dynamic: false,
      date_detection: false,
      dynamic_templates: ['', 'e.'].flatMap((path) => [
        { [`${path}texts`]: { path_match: `${path}x.*`, mapping: { type: 'keyword' as const } } },
        { [`${path}numbers`]: { path_match: `${path}n.*`, mapping: { type: 'double' as const } } },
      ]),
      _meta: { ...mark },
      _source: { includes: ['urn', 'aspect', 't', 'key', 'seq'] },
      properties: {
        urn: { type: 'keyword' },
        aspect: { type: 'keyword' },
        t: { type: 'date', format: 'epoch_millis' },
        key: { type: 'keyword' },
        seq: { type: 'long', index: false },
        marks: { type: 'keyword', doc_values: false },
        x: TEXTS,
        n: TEXTS,
        e: {
          type: 'nested',
          dynamic: false,
          properties: {
            urn: { type: 'keyword' },
            t: { type: 'date', format: 'epoch_millis' },
            x: TEXTS,
            n: TEXTS,
          },
        },
      },
    },
  };
}

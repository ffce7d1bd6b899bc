import { buildIndex, type IndexMark, type IndexShape } from '../engine/build-mappings';

/** Version of the layout of indices of timeseries values. Increase it when mappings or the form of documents change. */
export const SERIES_LAYOUT = 2;

const TEXTS = { type: 'object', dynamic: true } as const;

/**
 * Builds the index of the values of one entity type and aspect. Documents bring their fields, so it does not depend on the
 * model.
 */
export function buildSeriesMappings(index: string, mark: IndexMark): IndexShape {
  return buildIndex(index, mark, {
    mappings: {
      dynamic_templates: ['', 'e.'].flatMap((path) => [
        { [`${path}texts`]: { path_match: `${path}x.*`, mapping: { type: 'keyword' as const } } },
        { [`${path}numbers`]: { path_match: `${path}n.*`, mapping: { type: 'double' as const } } },
      ]),
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
  });
}

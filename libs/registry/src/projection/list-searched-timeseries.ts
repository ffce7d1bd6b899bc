import type { AspectType } from '../model/entity-registry';

/** Lists those of some aspects that are timeseries aspects whose latest value is part of the search document of its entity, by name. */
export function listSearchedTimeseries(aspects: Iterable<AspectType>): readonly string[] {
  return [...aspects]
    .filter(
      ({ kind, searchFields, searchScores }) =>
        kind === 'timeseries' && searchFields.length + searchScores.length > 0,
    )
    .map(({ name }) => name);
}

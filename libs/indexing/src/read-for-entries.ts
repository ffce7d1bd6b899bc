import type { EntryProjection } from '@stratalog/model';
import type { AspectStore, EntityPage } from '@stratalog/ports';

export interface EntryReads extends Pick<EntryProjection<unknown>, 'aspectNames' | 'listTimeseriesAspects'> {
  readonly store: Pick<AspectStore, 'readEntities' | 'readLatestValues'>;
}

/**
 * Reads entities with what their own entries are projected from, in reads of bounded size. Urns that exceed it are returned
 * as `rest`, for the next call.
 *
 * **Order and repeats**: the values are at least as new as the aspects. An entity's `seq` is that of its aspects, so the entry
 * of an older state never replaces that of a later one. A value that came between the two reads has a higher `seq`, and its
 * own change makes the entity be projected again.
 *
 * **Errors**: `UnavailableError` when the store is unavailable.
 */
export async function readForEntries(
  { store, aspectNames, listTimeseriesAspects = () => [] }: EntryReads,
  urns: readonly string[],
): Promise<EntityPage> {
  const page = await store.readEntities(urns, aspectNames);
  const refs = page.entities.flatMap(({ urn }) =>
    listTimeseriesAspects(urn).map((aspectName) => ({ urn, aspectName })),
  );
  if (refs.length === 0) return page;
  const { values, rest } = await store.readLatestValues(refs);
  const left = new Set(rest);
  const entities = page.entities
    .filter(({ urn }) => !left.has(urn))
    .map((entity) => {
      const latestValues = values.get(entity.urn);
      return latestValues === undefined ? entity : { ...entity, latestValues };
    });
  return { entities, rest: [...rest, ...page.rest] };
}

import {
  distance,
  type EntryProjection,
  type PartitionSequences,
  type ReferencedEntities,
  type StoredEntity,
} from '@stratalog/domain';
import type { AspectStore, EntityPage, StoreState } from '@stratalog/ports';
import { readReferenced } from './read-referenced';

export interface EntryReads extends Pick<
  EntryProjection<unknown>,
  'aspectNames' | 'listTimeseriesAspects' | 'references'
> {
  readonly store: Pick<AspectStore, 'readState'>;
}

/** Everything that the entries of some entities are projected from, as one state of the store has it. */
interface EntryInputs extends EntityPage {
  readonly referenced: ReferencedEntities;
  /** The changes that the state includes. */
  readonly sequences: PartitionSequences;
}

/**
 * Reads entities with what their entries are projected from, in reads of bounded size. Urns that exceed it are returned
 * as `rest`, for the next call.
 *
 * **Units**: the `seq` of these entities is the number of changes that the state of the store includes, in all partitions together. It is the
 * version of their entries: the entry of an older state never replaces that of a later one, and two entries of one version are equal.
 *
 * **Errors**: `UnavailableError` when the store is unavailable.
 */
export function readForEntries(
  { store, references, ...reads }: EntryReads,
  urns: readonly string[],
): Promise<EntryInputs> {
  return store.readState(async (state) => {
    const { entities, rest } = await readOwn(state, reads, urns);
    const referenced = await readReferenced(state, references, entities);
    const { sequences } = state;
    const seq = distance(new Map(), sequences);
    return { entities: entities.map((entity) => ({ ...entity, seq })), rest, referenced, sequences };
  });
}

async function readOwn(
  state: StoreState,
  { aspectNames, listTimeseriesAspects = () => [] }: Omit<EntryReads, 'store'>,
  urns: readonly string[],
): Promise<EntityPage> {
  const page = await state.readEntities(urns, aspectNames);
  const refs = page.entities.flatMap(({ urn }) =>
    listTimeseriesAspects(urn).map((aspectName) => ({ urn, aspectName })),
  );
  if (refs.length === 0) return page;
  const { values, rest } = await state.readLatestValues(refs);
  const left = new Set(rest);
  const entities = page.entities
    .filter(({ urn }) => !left.has(urn))
    .map((entity): StoredEntity => {
      const latestValues = values.get(entity.urn);
      return latestValues === undefined ? entity : { ...entity, latestValues };
    });
  return { entities, rest: [...rest, ...page.rest] };
}

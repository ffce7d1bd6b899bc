import { RESTATE_REFERRERS, isOfMapping, restateAspects, type RestateDeps } from '@stratalog/indexing';
import { covers, parseSequences } from '@stratalog/domain';
import type { AspectRef, AspectStore, SearchIndex, SearchIndexVersions } from '@stratalog/ports';
import { searchProjection, type PopularityStrength } from '@stratalog/projection';
import { isReferenceTo, type EntityRegistry } from '@stratalog/registry';
import { toFilterToken } from '@stratalog/search-text';
import {
  defineTaskKind,
  type TaskContext,
  type TaskKind,
  type TaskStanding,
  type TaskStep,
} from '@stratalog/tasks';
import * as z from 'zod';

export interface ReferrersDeps extends RestateDeps {
  readonly registry: EntityRegistry;
  readonly store: Pick<AspectStore, 'readPartitionSequences'>;
  readonly searchIndexes: SearchIndexVersions;
  readonly popularity: { readonly strength: PopularityStrength };
}

const SEQS = z.record(z.string(), z.number());

const PARAMETERS = z.object({
  /** The changed entities. */
  urns: z.array(z.string()),
  /** Where the change log had their changes. */
  position: SEQS,
});
type Parameters = z.infer<typeof PARAMETERS>;

const CHECKPOINT = z.object({
  /** Everything that the store had when the task began: what the index must have before it is asked for referrers. */
  sequences: SEQS,
  /** Number of changed entities that are done. */
  at: z.number(),
  /** The last referrer of the current one. */
  after: z.string().nullable(),
});
type Checkpoint = z.infer<typeof CHECKPOINT>;

/** Referrers of one step; each is one change row. */
const PAGE = 200;
const INDEX_POLL_MS = 200;

/**
 * Makes the kind of task that restates the entities that refer to changed ones, so that the indexer projects them again.
 *
 * It asks the search index for them, once that has everything that the store had when the task began. An entity whose
 * document was projected from an older state of a changed entity was committed before, so it is found. An entity that
 * refers to it since then was projected from the new state.
 *
 * **Order and repeats**: a crash repeats one page; a repeated restatement changes nothing.
 */
export function referrersTask(deps: ReferrersDeps): TaskKind<Parameters> {
  const { mapping } = searchProjection(deps.registry, deps.popularity.strength);
  return defineTaskKind({
    name: RESTATE_REFERRERS,
    isOwn: true,
    parameters: PARAMETERS,
    checkpoint: CHECKPOINT,
    start: async () => ({
      checkpoint: {
        sequences: Object.fromEntries(await deps.store.readPartitionSequences()),
        at: 0,
        after: null,
      },
      progress: { done: 0 },
    }),
    step: { alone: (context, at) => step(deps, mapping, { ...context, ...at }) },
  });
}

async function step(
  deps: ReferrersDeps,
  mapping: string,
  { parameters, actor, checkpoint, progress }: TaskContext<Parameters> & TaskStanding<Checkpoint>,
): Promise<TaskStep<Checkpoint>> {
  const changed = parameters.urns[checkpoint.at];
  if (changed === undefined) return { kind: 'completed', outcome: { restated: progress.done } };
  const index = await deps.searchIndexes.live();
  // Documents of another model may lack the urns of their references.
  const isUsable =
    index !== undefined &&
    isOfMapping(index.identity, mapping) &&
    covers(await index.position(), parseSequences(checkpoint.sequences));
  if (!isUsable) return { kind: 'wait', pauseMs: INDEX_POLL_MS };
  const { referrers, last } = await findReferrers(deps, index, { changed, after: checkpoint.after });
  const restated = await restateAspects(deps, referrers, actor);
  return {
    kind: 'next',
    checkpoint:
      last === undefined
        ? { ...checkpoint, at: checkpoint.at + 1, after: null }
        : { ...checkpoint, after: last },
    progress: { ...progress, done: progress.done + restated.length },
  };
}

/** Finds a page of aspects that refer to an entity, also those of soft-deleted entities. `last` is absent after the last page. */
async function findReferrers(
  { registry }: ReferrersDeps,
  index: SearchIndex,
  { changed, after }: { readonly changed: string; readonly after: string | null },
): Promise<{ readonly referrers: readonly AspectRef[]; readonly last: string | undefined }> {
  const types = registry.entityTypes.flatMap(({ name, references }) =>
    references
      .filter((reference) => isReferenceTo(reference, changed))
      .map(({ aspect, place }) => ({ name, aspectName: aspect.name, field: place.field.name })),
  );
  if (types.length === 0) return { referrers: [], last: undefined };
  const { hits } = await index.search({
    entityTypes: [...new Set(types.map(({ name }) => name))],
    query: { kind: 'all' },
    filter: [...new Set(types.map(({ field }) => field))].map((field) => [
      { fields: [field], condition: 'equal', anyOf: [toFilterToken(changed)], negated: false },
    ]),
    includesSoftDeleted: true,
    order: [],
    ...(after === null ? {} : { after: { keys: [], urn: after } }),
    start: 0,
    count: PAGE,
    facets: [],
    facetLimit: 0,
  });
  const aspectNames = [...new Set(types.map(({ aspectName }) => aspectName))];
  return {
    // Restating one aspect projects the whole entity; those that it does not have are passed over.
    referrers: hits.flatMap(({ urn }) => aspectNames.map((aspectName) => ({ urn, aspectName }))),
    last: hits.length < PAGE ? undefined : hits.at(-1)?.urn,
  };
}

import type { PastVersion } from '@stratalog/ports';
import { entityNamed, type NamedEntity } from '@stratalog/registry';
import { rejectLongAnswer } from './batch-reads';
import {
  keyFirst,
  rejectManyUrns,
  addKeyAspect,
  type AspectView,
  type EntityView,
  type ReadDeps,
} from './view-entities';

export interface PastQuery {
  /** Epoch milliseconds. */
  readonly asOf: number;
  readonly aspectNames?: readonly string[] | undefined;
}

/**
 * Views an entity as of a time: every aspect at its version of that time. An entity that did not exist then has the
 * key aspect of its urn, like one without a write.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed or its type unknown.
 */
export async function viewEntityAt(
  deps: ReadDeps,
  { urn, ...query }: PastQuery & { readonly urn: string },
): Promise<EntityView> {
  return viewAt(deps, entityNamed(deps.registry, urn), query);
}

/**
 * Views several entities as of a time.
 *
 * **Errors**: those of {@link viewEntityAt}; also for too many urns, and when the values are too large for one
 * answer.
 */
export async function viewEntitiesAt(
  deps: ReadDeps,
  { urns, ...query }: PastQuery & { readonly urns: readonly string[] },
): Promise<readonly EntityView[]> {
  rejectManyUrns(urns);
  const named = [...new Set(urns)].map((urn) => entityNamed(deps.registry, urn));
  return deps.batchReads.run(async (maxLength) => {
    const views: EntityView[] = [];
    let length = 0;
    for (const each of named) {
      const view = await viewAt(deps, each, query);
      length += view.aspects.reduce((sum, { value }) => sum + value.length, 0);
      rejectLongAnswer(length, maxLength);
      views.push(view);
    }
    return views;
  });
}

async function viewAt(
  deps: ReadDeps,
  named: NamedEntity,
  { asOf, aspectNames }: PastQuery,
): Promise<EntityView> {
  const wanted = addKeyAspect([named], aspectNames);
  const pastQuery = {
    urn: named.urn,
    timeMs: asOf,
    ...(wanted === undefined ? {} : { aspectNames: wanted }),
  };
  const { aspects, lost } = await deps.history.entityAt(pastQuery);
  return { ...named, aspects: keyFirst(deps, named, aspects.map(toPastView)), lost };
}

function toPastView(past: PastVersion & { readonly value: string }): AspectView {
  const { aspectName, version, value, created, systemMetadata } = past;
  return {
    name: aspectName,
    version,
    value,
    created,
    systemMetadata: { ...systemMetadata, version: String(version) },
  };
}

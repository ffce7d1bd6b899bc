import type { PastVersion } from '@stratalog/ports';
import { entityNamed, type NamedEntity } from '@stratalog/registry';
import {
  keyFirst,
  rejectLongAnswer,
  rejectManyUrns,
  addKeyAspect,
  type AspectView,
  type EntityView,
  type ReadDeps,
} from './view-entities';

export interface PastQuery {
  /** Epoch ms. */
  readonly asOf: number;
  readonly aspectNames?: readonly string[] | undefined;
}

/**
 * An entity as it was at a time: every aspect at the version of then, under its own number. One that was not there yet, or not any more,
 * has the key aspect that its urn stands for, like one that nobody ever wrote.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed or its type unknown.
 */
export async function viewEntityAt(
  parts: ReadDeps,
  { urn, ...question }: PastQuery & { readonly urn: string },
): Promise<EntityView> {
  return viewAt(parts, entityNamed(parts.registry, urn), question);
}

/** The same of several. **Errors**: also for too many urns, and when the values would be too large together. */
export async function viewEntitiesAt(
  parts: ReadDeps,
  { urns, ...question }: PastQuery & { readonly urns: readonly string[] },
): Promise<readonly EntityView[]> {
  rejectManyUrns(urns);
  const named = [...new Set(urns)].map((urn) => entityNamed(parts.registry, urn));
  const views: EntityView[] = [];
  let length = 0;
  for (const each of named) {
    const view = await viewAt(parts, each, question);
    length += view.aspects.reduce((sum, { value }) => sum + value.length, 0);
    rejectLongAnswer(length);
    views.push(view);
  }
  return views;
}

async function viewAt(
  parts: ReadDeps,
  named: NamedEntity,
  { asOf, aspectNames }: PastQuery,
): Promise<EntityView> {
  const wanted = addKeyAspect([named], aspectNames);
  const moment = { urn: named.urn, timeMs: asOf, ...(wanted === undefined ? {} : { aspectNames: wanted }) };
  const { aspects, lost } = await parts.history.entityAt(moment);
  return { ...named, aspects: keyFirst(parts, named, aspects.map(toPastView)), lost };
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

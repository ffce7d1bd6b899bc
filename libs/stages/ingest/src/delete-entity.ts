import { randomUUID } from 'node:crypto';
import { InvalidRequestError, NO_RUN_ID, type JsonOutputObject, type Position } from '@stratalog/model';
import type { AspectHistory } from '@stratalog/ports';
import { entityNamed } from '@stratalog/registry';
import { ingestProposal, type IngestParts } from './ingest-proposal';

export interface DeletionParts extends IngestParts {
  readonly history: AspectHistory;
}

/** Whoever asks for something to be written, and when. */
export interface Caller {
  readonly actor: string;
  readonly nowMs: number;
}

export interface EntityDeletionRequest {
  readonly urn: string;
  /** A timeseries aspect, of which alone the points are deleted. */
  readonly aspectName?: string | undefined;
  /** Whether only the points of some time are meant. */
  readonly isBounded: boolean;
}

export interface EntityDeletionAnswer {
  readonly body: JsonOutputObject;
  readonly position?: Position;
}

/**
 * Deletes an entity: by a proposal in the log like any other, so that the order of writes decides what it takes away.
 *
 * **Shape**: `{urn, rows, timeseriesRows}`; `rows` is the number of versions whose values are gone.
 *
 * **Errors**: `InvalidRequestError` for what no entity is, and for an aspect that is no timeseries.
 *
 * **Source**: entity and aspect behaviour, section 2.4.
 */
export async function deleteEntity(
  parts: DeletionParts,
  { urn, aspectName, isBounded }: EntityDeletionRequest,
  { actor, nowMs }: Caller,
): Promise<EntityDeletionAnswer> {
  const { entityType } = entityNamed(parts.registry, urn);
  if (aspectName !== undefined) throw aspectRefusal(entityType.aspects.get(aspectName)?.kind, aspectName);
  if (isBounded) {
    throw new InvalidRequestError(
      'startTimeMillis and endTimeMillis choose points of timeseries aspects, which are not supported yet',
    );
  }
  const mark = randomUUID();
  const keyAspect = entityType.keyAspect.name;
  const systemMetadata = { lastObserved: nowMs, runId: NO_RUN_ID, properties: { deletion: mark } };
  const position = await ingestProposal(
    parts,
    { entityType: entityType.name, urn, aspectName: keyAspect, changeType: 'DELETE', systemMetadata, actor },
    false,
  );
  const rows = await parts.history.versionsErasedBy({ urn, keyAspect, mark });
  return { body: { urn, rows, timeseriesRows: 0 }, ...(position === undefined ? {} : { position }) };
}

function aspectRefusal(
  kind: 'versioned' | 'timeseries' | undefined,
  aspectName: string,
): InvalidRequestError {
  const name = aspectName.slice(0, 100);
  if (kind === 'timeseries') {
    return new InvalidRequestError(
      `Parameter 'aspectName': timeseries aspects like ${name} are not supported yet`,
    );
  }
  const why =
    kind === undefined ? 'the entity type has no such aspect' : 'delete it by a proposal with DELETE';
  return new InvalidRequestError(
    `Parameter 'aspectName': Not supported for non-timeseries aspect ${name}. (${why})`,
  );
}

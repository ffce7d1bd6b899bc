import { randomUUID } from 'node:crypto';
import {
  InvalidRequestError,
  NO_RUN_ID,
  didYouMean,
  type Position,
  type Proposal,
  type TimeRange,
} from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { AspectHistory } from '@stratalog/ports';
import { entityNamed, type EntityType } from '@stratalog/registry';
import type { Caller } from '../proposals/create-caller';
import { ingestProposal, type IngestDeps } from '../proposals/ingest-proposal';

export interface DeletionDeps extends IngestDeps {
  readonly history: AspectHistory;
}

export interface EntityDeletionRequest {
  readonly urn: string;
  /** A timeseries aspect; only its values are deleted. */
  readonly aspectName?: string | undefined;
  /** Range of the deleted timeseries values; all values when it has no bounds. */
  readonly within: TimeRange;
}

export interface EntityDeletionAnswer {
  readonly body: JsonOutputObject;
  readonly position?: Position;
}

/**
 * Deletes an entity, or values of one timeseries aspect. It proposes the deletion in the log, so the order of writes
 * decides which values it removes.
 *
 * **Shape**: `{urn, rows, timeseriesRows}`. `rows` is the number of versions whose values are gone, absent for a
 * deletion of timeseries values only. `timeseriesRows` is the number of timeseries values.
 *
 * **Errors**: `InvalidRequestError` for an invalid urn, for an aspect that is no timeseries, and for bounds without
 * an aspect, because their sender means to keep some values.
 *
 * **Source**: `docs/wire-decisions.md`, Writing.
 */
export async function deleteEntity(
  deps: DeletionDeps,
  { urn, aspectName, within }: EntityDeletionRequest,
  caller: Caller,
): Promise<EntityDeletionAnswer> {
  const { entityType } = entityNamed(deps.registry, urn);
  const isBounded = within.startMs !== undefined || within.endMs !== undefined;
  if (aspectName === undefined) {
    if (isBounded) throw new InvalidRequestError(BOUNDS_ALONE);
    const keyAspect = entityType.keyAspect.name;
    const deletion = { entityType: entityType.name, urn, aspectName: keyAspect };
    const { mark, ...answer } = await propose(deps, deletion, caller);
    const erased = { urn, aspectName: keyAspect, mark };
    const rows = await deps.history.countVersionsDeletedBy(erased);
    const timeseriesRows = await deps.history.countTimeseriesDeletedBy(erased);
    return { body: { urn, rows, timeseriesRows }, ...answer };
  }
  const kind = entityType.aspects.get(aspectName)?.kind;
  if (kind !== 'timeseries') throw aspectRejection(entityType, kind, aspectName);
  const deletion = {
    entityType: entityType.name,
    urn,
    aspectName,
    ...(isBounded ? { timestamps: within } : {}),
  };
  const { mark, ...answer } = await propose(deps, deletion, caller);
  const timeseriesRows = await deps.history.countTimeseriesDeletedBy({ urn, aspectName, mark });
  return { body: { urn, timeseriesRows }, ...answer };
}

const BOUNDS_ALONE =
  'startTimeMillis and endTimeMillis choose values of one timeseries aspect; name it as aspectName';

type Deletion = Pick<Proposal, 'entityType' | 'urn' | 'aspectName' | 'timestamps'>;

/** The mark identifies this deletion, whichever process applies it. */
async function propose(
  deps: DeletionDeps,
  deletion: Deletion,
  { actor, nowMs }: Caller,
): Promise<{ readonly mark: string; readonly position?: Position }> {
  const mark = randomUUID();
  const systemMetadata = { lastObserved: nowMs, runId: NO_RUN_ID, properties: { deletion: mark } };
  const proposal: Proposal = { ...deletion, changeType: 'DELETE', systemMetadata, actor };
  const position = await ingestProposal(deps, proposal, { isAsync: false });
  return { mark, ...(position === undefined ? {} : { position }) };
}

function aspectRejection(
  { aspects }: EntityType,
  kind: 'versioned' | undefined,
  aspectName: string,
): InvalidRequestError {
  const name = aspectName.slice(0, 100);
  const timeseries = [...aspects.values()].flatMap((each) => (each.kind === 'timeseries' ? [each.name] : []));
  const why =
    kind === undefined
      ? `the entity type has no such aspect${didYouMean(aspectName, timeseries)}`
      : 'delete it by a proposal with DELETE';
  return new InvalidRequestError(
    `Parameter 'aspectName': Not supported for non-timeseries aspect ${name}. (${why})`,
  );
}

import {
  MismatchedRequestError,
  readSystemMetadata,
  type ReportUnknown,
  type Proposal,
} from '@stratalog/domain';
import { isJsonObject, type JsonValue, type Steps } from '@stratalog/json';
import type { DefinedRoute, Input } from '@stratalog/http';
import type { EntityRegistry } from '@stratalog/registry';
import { BATCH_INGEST, INGEST } from './snapshots.routes';
import { toProposals } from './to-proposals';

export interface ParseContext {
  readonly registry: EntityRegistry;
  readonly actor: string;
  readonly nowMs: number;
  /** The large parts of the request. */
  readonly large: ReadonlySet<JsonValue>;
  readonly report: ReportUnknown;
}

/** The proposals of one entity of the request; never empty. */
export type SnapshotProposals = readonly [Proposal, ...Proposal[]];

/**
 * Parses the `entity` parameter of a legacy write, with its `systemMetadata`.
 *
 * **Errors**: those of {@link toProposals}.
 */
export function* parseSnapshot(
  { entity, systemMetadata }: Input<typeof INGEST>,
  context: ParseContext,
): Steps<SnapshotProposals> {
  const read = reader(INGEST, context);
  return yield* read({ entity, place: 'entity' }, { given: systemMetadata ?? null, place: 'systemMetadata' });
}

/**
 * Parses the `entities` parameter, with as many `systemMetadata` or none.
 *
 * **Errors**: those of one snapshot; `MismatchedRequestError` when the numbers of entities and system metadata
 * differ.
 */
export function* parseSnapshots(
  { entities, systemMetadata: metadata }: Input<typeof BATCH_INGEST>,
  context: ParseContext,
): Steps<readonly SnapshotProposals[]> {
  const read = reader(BATCH_INGEST, context);
  if (metadata !== undefined && metadata.length !== entities.length) {
    throw new MismatchedRequestError('entities and systemMetadata length must match');
  }
  const snapshots: SnapshotProposals[] = [];
  for (const [at, entity] of entities.entries()) {
    snapshots.push(
      yield* read(
        { entity, place: `entities/${String(at)}` },
        { given: metadata?.[at] ?? null, place: `systemMetadata/${String(at)}` },
      ),
    );
  }
  return snapshots;
}

interface Placed {
  readonly entity: JsonValue;
  readonly place: string;
}

interface PlacedMetadata {
  readonly given: JsonValue;
  readonly place: string;
}

function reader(
  { reject, rejectAll }: Pick<DefinedRoute, 'reject' | 'rejectAll'>,
  { registry, actor, nowMs, large, report }: ParseContext,
) {
  return function* ({ entity, place }: Placed, metadata: PlacedMetadata): Steps<SnapshotProposals> {
    const { given } = metadata;
    if (given !== null && !isJsonObject(given)) return reject(metadata.place, 'is not an object');
    const read = readSystemMetadata(given ?? undefined, { nowMs });
    if ('faults' in read) return rejectAll(read.faults, metadata.place);
    const { systemMetadata } = read;
    const context = { actor, systemMetadata, place, reject, large, report };
    return yield* toProposals(registry, entity, context);
  };
}

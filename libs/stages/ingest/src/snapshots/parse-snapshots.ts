import {
  MismatchedRequestError,
  isJsonObject,
  readSystemMetadata,
  type JsonValue,
  type NoteUnknown,
  type Proposal,
  type Steps,
} from '@stratalog/model';
import { MAX_BATCH_ELEMENTS, type ActionParameters } from '@stratalog/http';
import type { EntityRegistry } from '@stratalog/registry';
import { toProposals } from './to-proposals';

export interface ParseContext {
  readonly registry: EntityRegistry;
  readonly actor: string;
  readonly nowMs: number;
  /** The large parts of the request. */
  readonly large: ReadonlySet<JsonValue>;
  readonly note: NoteUnknown;
}

/** The proposals of one entity of the request; never empty. */
export type SnapshotProposals = readonly [Proposal, ...Proposal[]];

/**
 * Parses the `entity` parameter of a legacy write, with its `systemMetadata`.
 *
 * **Errors**: those of {@link toProposals}.
 */
export function* parseSnapshot(
  parameters: ActionParameters,
  context: ParseContext,
): Steps<SnapshotProposals> {
  const read = reader(parameters, context);
  const entity = parameters.requiredObject('entity');
  return yield* read(
    { entity, place: 'entity' },
    { given: parameters.optionalObject('systemMetadata') ?? null, place: 'systemMetadata' },
  );
}

/**
 * Parses the `entities` parameter, with as many `systemMetadata` or none.
 *
 * **Errors**: those of one snapshot; `MismatchedRequestError` when the numbers of entities and system metadata
 * differ.
 */
export function* parseSnapshots(
  parameters: ActionParameters,
  context: ParseContext,
): Steps<readonly SnapshotProposals[]> {
  const read = reader(parameters, context);
  const entities = parameters.requiredBatch('entities', MAX_BATCH_ELEMENTS);
  const metadata = parameters.optionalList('systemMetadata');
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

function reader(parameters: ActionParameters, { registry, actor, nowMs, large, note }: ParseContext) {
  const reject = (path: string, reason: string): never => parameters.reject(path, reason);
  return function* ({ entity, place }: Placed, metadata: PlacedMetadata): Steps<SnapshotProposals> {
    const { given } = metadata;
    if (given !== null && !isJsonObject(given)) return reject(metadata.place, 'is not an object');
    const read = readSystemMetadata(given ?? undefined, { nowMs });
    if ('faults' in read) return parameters.rejectAll(read.faults, metadata.place);
    const { systemMetadata } = read;
    const context = { actor, systemMetadata, place, reject, large, note };
    return yield* toProposals(registry, entity, context);
  };
}

import { InvalidRequestError, NotFoundError, entityTypeIn } from '@stratalog/domain';
import { MAX_BATCH_ELEMENTS } from '@stratalog/http';
import { stringifyJson, type JsonOutput, type JsonOutputObject } from '@stratalog/json';
import type { CallScope } from '../call-scope';

/** One operation of a JSON Patch; the steps are the names on the way to the changed value. */
export interface Operation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly steps: readonly string[];
  readonly value?: JsonOutput;
}

interface AspectChange {
  readonly urn: string;
  readonly aspectName: string;
}

/** A change of parts of an aspect: what others write meanwhile stays. */
export interface Patch extends AspectChange {
  readonly operations: readonly Operation[];
  /** The members by which elements of arrays are addressed, where the aspect does not say so itself. */
  readonly keys?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A whole new value of an aspect. */
interface Replacement extends AspectChange {
  readonly value: JsonOutputObject;
  /** `CREATE` rejects an aspect that exists, `CREATE_ENTITY` an entity. */
  readonly changeType?: 'UPSERT' | 'CREATE' | 'CREATE_ENTITY';
}

export type Change = Patch | Replacement;

/**
 * Proposes changes as one batch, with the rights of the caller: all of them are written, or none.
 *
 * **Errors**: `InvalidRequestError` for too many; those of the proposals.
 */
export async function propose(
  { write, costs, loader }: CallScope,
  changes: readonly Change[],
): Promise<true> {
  const joined = joinPatches(changes);
  if (joined.length === 0) throw new InvalidRequestError('input/resources: names nothing to change');
  if (joined.length > MAX_BATCH_ELEMENTS) {
    throw new InvalidRequestError(`A text changes at most ${String(MAX_BATCH_ELEMENTS)} aspects`);
  }
  costs.countQuery();
  await write('/aspects?action=ingestProposalBatch', { proposals: joined.map(toProposal) });
  loader.forget();
  return true;
}

/** The operations on one aspect are one patch: each rewrites the whole value. */
function joinPatches(changes: readonly Change[]): readonly Change[] {
  const joined = new Map<string, Change>();
  for (const change of changes) {
    const key = `${change.urn}\n${change.aspectName}`;
    const before = joined.get(key);
    joined.set(
      key,
      before !== undefined && 'operations' in before && 'operations' in change
        ? { ...before, operations: [...before.operations, ...change.operations] }
        : change,
    );
  }
  return [...joined.values()];
}

function toProposal(change: Change): JsonOutputObject {
  const { urn, aspectName } = change;
  const proposal = { entityType: entityTypeIn(urn), entityUrn: urn, aspectName };
  if (!('operations' in change)) {
    const aspect = { value: stringifyJson(change.value), contentType: 'application/json' };
    return { ...proposal, changeType: change.changeType ?? 'UPSERT', aspect };
  }
  const patch = change.operations.map(({ op, steps, value }) => ({ op, path: toPointer(steps), value }));
  const body = change.keys === undefined ? patch : { patch, arrayPrimaryKeys: change.keys };
  return {
    ...proposal,
    changeType: 'PATCH',
    aspect: { value: stringifyJson(body), contentType: 'application/json-patch+json' },
  };
}

function toPointer(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * A proposal would create what it names, and a caller may be wrong about it.
 *
 * **Errors**: `NotFoundError` for the first entity that does not exist; `InvalidRequestError` for a urn that is none, or of another type
 * than those that are allowed.
 */
export async function requireExisting(
  { loader }: CallScope,
  urns: readonly string[],
  ...types: readonly string[]
): Promise<void> {
  requireTypes(urns, ...types);
  const exist = await Promise.all(urns.map((urn) => loader.exists(urn)));
  const missing = urns.find((_urn, at) => exist[at] !== true);
  if (missing !== undefined) throw new NotFoundError(`${missing.slice(0, 600)} does not exist`);
}

/** **Errors**: `InvalidRequestError` for a urn of another type; every type is allowed without any. */
export function requireTypes(urns: readonly string[], ...types: readonly string[]): void {
  const wrong = urns.find((urn) => types.length > 0 && !types.includes(entityTypeIn(urn)));
  if (wrong === undefined) return;
  throw new InvalidRequestError(
    `"${wrong.slice(0, 600)}" is no urn of the entity type ${types.join(' or ')}`,
  );
}

/** An entity, or one of its columns. */
export interface SentResource {
  readonly resourceUrn: string;
  readonly subResourceType?: string | null;
  readonly subResource?: string | null;
}

/**
 * Where people write about a column: the aspect, and the steps to the record of the column; `undefined` for an entity.
 *
 * **Errors**: `InvalidRequestError` for a column without a name.
 */
export function placeOfColumn({
  subResourceType,
  subResource,
}: SentResource): { readonly aspectName: string; readonly front: readonly string[] } | undefined {
  const column = subResource ?? '';
  if (column !== '') {
    return { aspectName: 'editableSchemaMetadata', front: ['editableSchemaFieldInfo', column] };
  }
  if (subResourceType === null || subResourceType === undefined) return undefined;
  throw new InvalidRequestError('input/subResource: is required with subResourceType, the path of a column');
}

/** Requires that the resources of a change exist, and are some. **Errors**: those of {@link requireExisting}. */
export async function requireResources(scope: CallScope, resources: readonly SentResource[]): Promise<void> {
  await requireExisting(
    scope,
    resources.map(({ resourceUrn }) => resourceUrn),
  );
}

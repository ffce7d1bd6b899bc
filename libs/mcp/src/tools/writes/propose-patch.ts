import { InvalidRequestError, NotFoundError, entityTypeIn } from '@stratalog/domain';
import { stringifyJson, type JsonOutput } from '@stratalog/json';
import type { Clients, Found } from '../tool';

/** One operation of a JSON Patch. */
interface Operation {
  readonly op: 'add' | 'remove';
  /** The names on the way to the changed value. */
  readonly steps: readonly string[];
  readonly value?: JsonOutput;
}

/** Where people write about the columns of an entity: the aspect, and the steps to the record of one. */
export function placeOfColumn(column: string): {
  readonly aspect: string;
  readonly front: readonly string[];
} {
  return { aspect: 'editableSchemaMetadata', front: ['editableSchemaFieldInfo', column] };
}

interface Patch {
  readonly urn: string;
  readonly aspect: string;
  readonly operations: readonly Operation[];
}

/**
 * Proposes changes of an aspect as one patch: what others write meanwhile stays. An assistant may be wrong about a urn, so the entity must
 * exist: a proposal would create it.
 *
 * **Errors**: `NotFoundError` for an entity that does not exist; those of the proposal.
 */
export async function proposePatch(
  { reads, writes }: Clients,
  { urn, aspect: aspectName, operations }: Patch,
): Promise<Found> {
  await requireExisting({ reads }, [urn]);
  const patch = operations.map(({ op, steps, value }) => ({ op, path: toPointer(steps), value }));
  const { answer, headers } = await writes.call('POST /aspects?action=ingestProposal', {
    proposal: {
      entityType: entityTypeIn(urn),
      entityUrn: urn,
      changeType: 'PATCH',
      aspectName,
      aspect: { value: stringifyJson(patch), contentType: 'application/json-patch+json' },
    },
  });
  const position = headers.get('x-stratalog-position') ?? undefined;
  return { about: { written: answer, aspect: aspectName, position } };
}

/** **Errors**: `NotFoundError` for the first urn of an entity that does not exist. */
export async function requireExisting(
  { reads }: Pick<Clients, 'reads'>,
  urns: readonly string[],
): Promise<void> {
  for (const urn of urns) {
    const { answer } = await reads.call('POST /entities?action=exists', { urn });
    if (!answer) throw new NotFoundError(`Did not find urn: ${urn}`);
  }
}

/** **Errors**: `InvalidRequestError` when there is nothing to change. */
export function requireChanges(...lists: readonly (readonly unknown[])[]): void {
  if (lists.some(({ length }) => length > 0)) return;
  throw new InvalidRequestError("Parameter 'add' or 'remove' is required, with at least one element");
}

function toPointer(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

import type { CallScope } from '../call-scope';
import { propose, requireExisting, requireResources, type Operation, type SentResource } from './propose';

export interface SentOwner {
  readonly ownerUrn: string;
  readonly ownerEntityType: 'CORP_USER' | 'CORP_GROUP';
  readonly type?: string | null;
  readonly ownershipTypeUrn?: string | null | undefined;
}

const ENTITY_TYPES = { CORP_USER: 'corpuser', CORP_GROUP: 'corpGroup' } as const;

/** Adds owners. **Errors**: those of the proposal; also for an owner, a type of ownership or a resource that does not exist. */
export async function addOwners(
  scope: CallScope,
  owners: readonly SentOwner[],
  resources: readonly SentResource[],
): Promise<true> {
  for (const { ownerUrn, ownerEntityType } of owners) {
    await requireExisting(scope, [ownerUrn], ENTITY_TYPES[ownerEntityType]);
  }
  await requireResources(scope, resources);
  const operations: Operation[] = [];
  for (const { ownerUrn, type, ownershipTypeUrn } of owners) {
    const typeUrn = ownershipTypeUrn ?? undefined;
    if (typeUrn !== undefined) await requireExisting(scope, [typeUrn], 'ownershipType');
    const role = typeUrn === undefined ? (type ?? 'NONE') : roleOf(typeUrn);
    operations.push({
      op: 'add',
      steps: ['owners', ownerUrn, role, ...(typeUrn === undefined ? [] : [typeUrn])],
      value: { owner: ownerUrn, type: role, ...(typeUrn === undefined ? {} : { typeUrn }) },
    });
  }
  return propose(
    scope,
    resources.map(({ resourceUrn }) => ({ urn: resourceUrn, aspectName: 'ownership', operations })),
  );
}

/** Removes owners, from one type of ownership or from all. **Errors**: those of {@link addOwners}. */
export async function removeOwners(
  scope: CallScope,
  {
    ownerUrns,
    ownershipTypeUrn,
  }: { readonly ownerUrns: readonly string[]; readonly ownershipTypeUrn?: string | null },
  resources: readonly SentResource[],
): Promise<true> {
  await requireResources(scope, resources);
  const typeUrn = ownershipTypeUrn ?? undefined;
  const operations = ownerUrns.map((owner) => ({
    op: 'remove' as const,
    steps: ['owners', owner, ...(typeUrn === undefined ? [] : stepsOfType(typeUrn))],
  }));
  return propose(
    scope,
    resources.map(({ resourceUrn }) => ({ urn: resourceUrn, aspectName: 'ownership', operations })),
  );
}

/** The types that are in the model too, by which owners may have been written without a urn. */
const SYSTEM = /:ownershipType:__system__(\w+)$/;

function roleOf(typeUrn: string): string {
  return SYSTEM.exec(typeUrn)?.[1]?.toUpperCase() ?? 'CUSTOM';
}

function stepsOfType(typeUrn: string): readonly string[] {
  const role = roleOf(typeUrn);
  return role === 'CUSTOM' ? [role, typeUrn] : [role];
}

import type { CallScope } from '../call-scope';
import { propose, requireExisting, requireResources, type SentResource } from './propose';

/** Puts entities into a domain, or into none. **Errors**: those of the proposal; also for a domain or a resource that does not exist. */
export async function setDomain(
  scope: CallScope,
  domainUrn: string | null | undefined,
  resources: readonly SentResource[],
): Promise<true> {
  const domains = domainUrn === null || domainUrn === undefined ? [] : [domainUrn];
  await requireExisting(scope, domains, 'domain');
  await requireResources(scope, resources);
  return propose(
    scope,
    resources.map(({ resourceUrn }) => ({ urn: resourceUrn, aspectName: 'domains', value: { domains } })),
  );
}

export interface SentDeprecation {
  readonly urn: string;
  readonly deprecated: boolean;
  readonly decommissionTime?: number | bigint | null;
  readonly note?: string | null;
  readonly replacement?: string | null;
}

/** Says that an entity should no longer be used, or should be again. **Errors**: those of {@link setDomain}. */
export async function updateDeprecation(
  scope: CallScope,
  { urn, deprecated, decommissionTime, note, replacement }: SentDeprecation,
): Promise<true> {
  await requireExisting(scope, [urn]);
  const value = {
    deprecated,
    note: note ?? '',
    actor: scope.actor,
    decommissionTime: decommissionTime ?? undefined,
    replacement: replacement ?? undefined,
  };
  return propose(scope, [{ urn, aspectName: 'deprecation', value }]);
}

/** Makes a tag. **Errors**: those of the proposal; also when there is one with this id. */
export async function createTag(
  scope: CallScope,
  {
    id,
    name,
    description,
  }: { readonly id: string; readonly name: string; readonly description?: string | null },
): Promise<string> {
  const urn = `urn:${scope.deps.registry.urnNamespace}:tag:${id}`;
  const value = { name, description: description ?? undefined };
  await propose(scope, [{ urn, aspectName: 'tagProperties', changeType: 'CREATE_ENTITY', value }]);
  return urn;
}

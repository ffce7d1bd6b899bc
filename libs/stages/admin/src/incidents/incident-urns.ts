import type { AspectStore } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';

/** The entity type of incidents. */
export const INCIDENT = 'incident';

/** What the urns of incidents begin with. */
export function incidentPrefix({ urnNamespace }: Pick<EntityRegistry, 'urnNamespace'>): string {
  return `urn:${urnNamespace}:${INCIDENT}:`;
}

/** True when the store ever had an incident. */
export async function hasIncidents(
  store: Pick<AspectStore, 'urnsAfter'>,
  registry: Pick<EntityRegistry, 'urnNamespace'>,
): Promise<boolean> {
  const prefix = incidentPrefix(registry);
  const [first] = await store.urnsAfter(prefix, 1);
  return first?.startsWith(prefix) === true;
}

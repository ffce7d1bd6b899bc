import type { EntityRegistry } from '@stratalog/registry';

/** Returns the urn of the user as which the catalog itself writes. */
export function systemActor({ urnNamespace }: Pick<EntityRegistry, 'urnNamespace'>): string {
  return `urn:${urnNamespace}:corpuser:__datahub_system`;
}

/** Returns the urn of the user as which actions of metadata tests write. */
export function testsActor({ urnNamespace }: Pick<EntityRegistry, 'urnNamespace'>): string {
  return `urn:${urnNamespace}:corpuser:__datahub_tests`;
}

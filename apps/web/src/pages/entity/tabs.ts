import type { EntityView } from './use-entity';

export interface EntityTab {
  readonly to: '/e/$urn' | '/e/$urn/json';
  readonly label: string;
  /** Why the tab is empty; `undefined`: it has something. `null`: the type cannot have it at all. */
  readonly whyEmpty: (view: EntityView) => string | null | undefined;
  readonly count?: (view: EntityView) => number | undefined;
}

/** The tabs of an entity, in order, as its type can have them. */
export const ENTITY_TABS: readonly EntityTab[] = [
  { to: '/e/$urn', label: 'Overview', whyEmpty: () => undefined },
  { to: '/e/$urn/json', label: 'JSON', whyEmpty: () => undefined },
];

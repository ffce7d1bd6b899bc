import { aspect } from '../../data/entity-card';
import { readColumns } from './columns/read-columns';
import { hasLineage } from './header/feeds';
import type { EntityView } from './use-entity';

export interface EntityTab {
  readonly to:
    | '/e/$urn'
    | '/e/$urn/columns'
    | '/e/$urn/history'
    | '/e/$urn/json'
    | '/e/$urn/quality'
    | '/e/$urn/relations'
    | '/e/$urn/usage'
    | '/lineage/$urn';
  readonly label: string;
  /** Why the tab is empty; `undefined`: it has something. `null`: the type cannot have it at all. */
  readonly whyEmpty?: (view: EntityView) => string | null | undefined;
  readonly count?: (view: EntityView) => number;
}

/** The tabs of an entity, in order, as its type can have them. */
export const ENTITY_TABS: readonly EntityTab[] = [
  { to: '/e/$urn', label: 'Overview' },
  {
    to: '/e/$urn/columns',
    label: 'Columns',
    whyEmpty: ({ model, entity }) => {
      if (!has(model, 'schemaMetadata', 'inputFields')) return null;
      const isKnown = aspect(entity, 'schemaMetadata') ?? aspect(entity, 'inputFields');
      return isKnown === undefined ? 'No columns are known' : undefined;
    },
    count: ({ entity }) => readColumns(entity).length,
  },
  {
    to: '/lineage/$urn',
    label: 'Lineage',
    whyEmpty: ({ model }) => (hasLineage(model) ? undefined : null),
  },
  { to: '/e/$urn/history', label: 'History' },
  {
    to: '/e/$urn/quality',
    label: 'Quality',
    whyEmpty: ({ model }) => (has(model, 'datasetProfile', 'assertionRunEvent') ? undefined : null),
  },
  {
    to: '/e/$urn/usage',
    label: 'Usage',
    whyEmpty: ({ model }) => (has(model, 'datasetUsageStatistics') ? undefined : null),
  },
  { to: '/e/$urn/relations', label: 'Relations' },
  { to: '/e/$urn/json', label: 'JSON' },
];

function has({ aspects }: EntityView['model'], ...names: readonly string[]): boolean {
  return aspects.some(({ name }) => names.includes(name));
}

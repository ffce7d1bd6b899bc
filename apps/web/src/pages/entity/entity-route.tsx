import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { many, one, present } from '../../app/search-parameters';

/** The page of an entity: the header, and below it the tab of the address. */
const entityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/e/$urn',
  component: lazyRouteComponent(() => import('./entity-page'), 'EntityPage'),
});

const overviewRoute = createRoute({
  getParentRoute: () => entityRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./overview/overview-tab'), 'OverviewTab'),
});

const jsonRoute = createRoute({
  getParentRoute: () => entityRoute,
  path: 'json',
  component: lazyRouteComponent(() => import('./json/json-tab'), 'JsonTab'),
});

interface ColumnsSearch {
  /** The path of the column that the panel is about. */
  readonly column?: string | undefined;
  /** The chip that narrows the columns. */
  readonly only?: string | undefined;
  readonly filter?: string | undefined;
  /** Columns whose nested ones are folded away, by their labels. */
  readonly folded?: readonly string[] | undefined;
  /** The time to compare with. */
  readonly vs?: string | undefined;
}

const columnsRoute = createRoute({
  getParentRoute: () => entityRoute,
  path: 'columns',
  validateSearch: (search: Record<string, unknown>): ColumnsSearch =>
    present({
      column: one(search.column),
      only: one(search.only),
      filter: one(search.filter),
      folded: many(search.folded),
      vs: one(search.vs),
    }),
  component: lazyRouteComponent(() => import('./columns/columns-tab'), 'ColumnsTab'),
});

interface HistorySearch {
  /** The chosen change: the version `v` of an aspect. */
  readonly aspect?: string | undefined;
  readonly v?: string | undefined;
  /** The version to compare with. */
  readonly vs?: string | undefined;
  /** Only the changes of this aspect. */
  readonly of?: string | undefined;
  /** Only the changes of this actor. */
  readonly by?: string | undefined;
}

const historyRoute = createRoute({
  getParentRoute: () => entityRoute,
  path: 'history',
  validateSearch: ({ aspect, v, vs, of, by }: Record<string, unknown>): HistorySearch =>
    present({ aspect: one(aspect), v: one(v), vs: one(vs), of: one(of), by: one(by) }),
  component: lazyRouteComponent(() => import('./history/history-tab'), 'HistoryTab'),
});

const qualityRoute = createRoute({
  getParentRoute: () => entityRoute,
  path: 'quality',
  component: lazyRouteComponent(() => import('./quality/quality-tab'), 'QualityTab'),
});

const usageRoute = createRoute({
  getParentRoute: () => entityRoute,
  path: 'usage',
  component: lazyRouteComponent(() => import('./usage/usage-tab'), 'UsageTab'),
});

const relationsRoute = createRoute({
  getParentRoute: () => entityRoute,
  path: 'relations',
  component: lazyRouteComponent(() => import('./relations/relations-tab'), 'RelationsTab'),
});

/** The tabs of the page: a new one adds its route here, and its line to `tabs.ts`. */
export const entityRoutes = entityRoute.addChildren([
  overviewRoute,
  columnsRoute,
  historyRoute,
  qualityRoute,
  usageRoute,
  relationsRoute,
  jsonRoute,
]);

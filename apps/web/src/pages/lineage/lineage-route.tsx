import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { readLineageSearch } from './lineage-address';

/** The lineage around an entity, hop by hop. */
export const lineageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/lineage/$urn',
  validateSearch: readLineageSearch,
  component: lazyRouteComponent(() => import('./lineage-page'), 'LineagePage'),
});

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { one, present } from '../../app/search-parameters';

interface GlossarySearch {
  readonly preview?: string | undefined;
}

function readSearch({ preview }: Record<string, unknown>): GlossarySearch {
  return present({ preview: one(preview) });
}

export const glossaryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/glossary',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./glossary-page'), 'GlossaryPage'),
});

export const glossaryTermRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/glossary/$urn',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./glossary-page'), 'GlossaryPage'),
});

import { createRouter } from '@tanstack/react-router';
import { ErrorState } from '../components/states/states';
import { PAGES_PATH } from '../data/place';
import { onSignInNeeded } from '../data/use-call';
import { browseRoutes } from '../pages/browse/browse-routes';
import { changesRoute } from '../pages/changes/changes-route';
import { domainRoute, domainsRoute } from '../pages/domains/domains-routes';
import { glossaryRoute, glossaryTermRoute } from '../pages/glossary/glossary-routes';
import { homeRoute } from '../pages/home/home-route';
import { entityRoutes } from '../pages/entity/entity-route';
import { lineageRoute } from '../pages/lineage/lineage-route';
import { operateRoutes } from '../pages/operate/operate-route';
import { searchRoute } from '../pages/search/search-route';
import { signInRoute } from '../pages/sign-in/sign-in-route';
import { rootRoute } from './root-route';
import { parseSearch, stringifySearch } from './search-parameters';

/** Every page: a new one adds its line here, and to the navigation where it belongs there. */
const routeTree = rootRoute.addChildren([
  homeRoute,
  searchRoute,
  entityRoutes,
  lineageRoute,
  browseRoutes,
  domainsRoute,
  domainRoute,
  glossaryRoute,
  glossaryTermRoute,
  changesRoute,
  operateRoutes,
  signInRoute,
]);

export const router = createRouter({
  routeTree,
  basepath: PAGES_PATH,
  parseSearch,
  stringifySearch,
  pathParamsAllowedCharacters: [':', ',', '@'],
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} what="The page" retry={reset} />,
});

onSignInNeeded.open = () => {
  const { pathname, href } = router.state.location;
  if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { then: href } });
};

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

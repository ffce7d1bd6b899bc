import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { one, present } from '../../app/search-parameters';

interface SignInSearch {
  /** The address of the page to go to afterwards. */
  readonly then?: string;
  /** Why the identity provider led back without signing the person in. */
  readonly problem?: string;
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): SignInSearch =>
    present({ then: one(search.then), problem: one(search.problem) }),
  component: lazyRouteComponent(() => import('./sign-in-page'), 'SignInPage'),
});

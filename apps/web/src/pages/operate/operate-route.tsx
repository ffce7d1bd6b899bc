import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { one, present } from '../../app/search-parameters';

const operateRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operate',
  component: lazyRouteComponent(() => import('./operate-layout'), 'OperateLayout'),
});

const indexRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/',
  beforeLoad: () => redirect({ to: '/operate/health', replace: true, throw: true }),
});

const healthRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/health',
  component: lazyRouteComponent(() => import('./health/health-page'), 'HealthPage'),
});

interface TasksSearch {
  readonly state?: string;
  readonly kind?: string;
}

const tasksRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/tasks',
  validateSearch: (search: Record<string, unknown>): TasksSearch =>
    present({ state: one(search.state), kind: one(search.kind) }),
  component: lazyRouteComponent(() => import('./tasks/tasks-page'), 'TasksPage'),
});

/** The panel of a task: the page of the tasks shows it. */
const taskRoute = createRoute({ getParentRoute: () => tasksRoute, path: '/$task' });

const indicesRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/indices',
  component: lazyRouteComponent(() => import('./indices/indices-page'), 'IndicesPage'),
});

const deadLettersRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/dead-letters',
  component: lazyRouteComponent(() => import('./dead-letters/dead-letters-page'), 'DeadLettersPage'),
});

/** The panel of a dead letter: the page of the dead letters shows it. */
const deadLetterRoute = createRoute({ getParentRoute: () => deadLettersRoute, path: '/$id' });

interface TestsSearch {
  readonly outcome?: string;
}

const testsRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/tests',
  validateSearch: (search: Record<string, unknown>): TestsSearch => present({ outcome: one(search.outcome) }),
  component: lazyRouteComponent(() => import('./tests/tests-page'), 'TestsPage'),
});

/** The results of a test: the page of the tests shows them. */
const testRoute = createRoute({ getParentRoute: () => testsRoute, path: '/$urn' });

const tokensRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/tokens',
  component: lazyRouteComponent(() => import('./tokens/tokens-page'), 'TokensPage'),
});

interface AuditSearch {
  readonly actor?: string;
  readonly call?: string;
  readonly outcome?: string;
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
}

const auditRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/audit',
  validateSearch: (search: Record<string, unknown>): AuditSearch =>
    present({
      actor: one(search.actor),
      call: one(search.call),
      outcome: one(search.outcome),
      status: one(search.status),
      from: one(search.from),
      to: one(search.to),
    }),
  component: lazyRouteComponent(() => import('./audit/audit-page'), 'AuditPage'),
});

const policiesRoute = createRoute({
  getParentRoute: () => operateRoute,
  path: '/policies',
  component: lazyRouteComponent(() => import('./policies/policies-page'), 'PoliciesPage'),
});

export const operateRoutes = operateRoute.addChildren([
  indexRoute,
  healthRoute,
  tasksRoute.addChildren([taskRoute]),
  indicesRoute,
  deadLettersRoute.addChildren([deadLetterRoute]),
  testsRoute.addChildren([testRoute]),
  tokensRoute,
  auditRoute,
  policiesRoute,
]);

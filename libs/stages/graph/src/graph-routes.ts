import type { RoutesIn } from '@stratalog/http';
import type * as relationships from './relationships.routes';

/** The routes of this stage by their types, for the typed client. */
export type GraphRoutes = RoutesIn<typeof relationships>;

import type { RoutesIn } from '@stratalog/http';
import type * as server from './server.routes';

/** The routes that ask the server about itself, by their types, for the typed client. */
export type ServerRoutes = RoutesIn<typeof server>;

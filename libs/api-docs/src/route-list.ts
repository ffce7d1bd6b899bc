import { listRoutes } from '@stratalog/http';
import { API_ROUTES } from './api-routes';

/**
 * The names of all routes. A bundle has them as data (`tools/bootstrap/build/route-list.mjs`), so that an app knows the routes of the others
 * and holds none of their code.
 */
export const ROUTE_LIST = listRoutes(API_ROUTES);

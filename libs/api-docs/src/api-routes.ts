import { ROUTE_GROUPS, documentedRoutes, type DocumentedRoute } from '@stratalog/http';
import { MCP_CONTROLLERS } from '@stratalog/mcp';
import { SERVER_CONTROLLERS } from '@stratalog/runtime';
import { ADMIN_CONTROLLERS } from '@stratalog/stages-admin';
import { GRAPH_CONTROLLERS } from '@stratalog/stages-graph';
import { INGEST_CONTROLLERS } from '@stratalog/stages-ingest';
import { QUERY_CONTROLLERS } from '@stratalog/stages-query';
import { DocsController } from './docs.controller';
import { WebController } from './web/web.controller';

const GROUPS = Object.keys(ROUTE_GROUPS);
const placeOf = ({ docs }: DocumentedRoute): number => GROUPS.indexOf(docs.group);

/** Every route of the catalog, in any app, in reading order: by group. The rejections of each app suggest them. */
export const API_ROUTES: readonly DocumentedRoute[] = documentedRoutes([
  ...INGEST_CONTROLLERS,
  ...GRAPH_CONTROLLERS,
  ...ADMIN_CONTROLLERS,
  ...QUERY_CONTROLLERS,
  ...MCP_CONTROLLERS,
  ...SERVER_CONTROLLERS,
  DocsController,
  WebController,
]).toSorted((one, other) => placeOf(one) - placeOf(other));

export { GRAPH_CONTROLLERS, graphStage } from './graph.module';
export { type GraphRoutes } from './graph-routes';

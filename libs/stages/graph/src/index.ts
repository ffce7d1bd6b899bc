export { graphStage } from './graph.module';
export { RelationshipsController } from './relationships.controller';
export { type GraphRoutes } from './graph-routes';

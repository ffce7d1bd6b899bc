export { graphStage } from './graph.module';
export { RelationshipsController } from './relationships.controller';

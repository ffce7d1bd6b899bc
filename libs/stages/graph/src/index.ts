export { edgesBy } from './edges-by';
export { graphStage } from './graph.module';
export { RelationshipsController } from './relationships.controller';

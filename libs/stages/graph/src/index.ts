export { projectEdges } from './project-edges';
export { graphStage } from './graph.module';
export { RelationshipsController } from './relationships.controller';

export { projectDocuments, indexerStage } from './indexer-stage';

export { documentsBy, indexerStage } from './indexer-stage';

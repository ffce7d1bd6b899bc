export { documentOf } from './document-of';
export { documentsBy, indexerStage } from './indexer-stage';

export { documentOf } from './document-of';
export { rebuildIndex, type IndexingParts } from './index-entities';
export { indexerStage } from './indexer-stage';

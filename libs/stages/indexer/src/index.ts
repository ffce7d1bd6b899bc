export { indexerStage } from './indexer-stage';

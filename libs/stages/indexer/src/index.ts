export { followSearch } from './follow-indices';
export { indexerStage } from './indexer.module';

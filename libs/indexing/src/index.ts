export { rebuildIndex, type IndexingDeps } from './index-entities';
export { indexLag } from './index-lag';
export { IndexFollower } from './index-follower';
export { StoredIndexVersions } from './stored-index-versions';
export { CheckpointPoller } from './checkpoint-poller';
export { PositionedReads } from './positioned-reads';

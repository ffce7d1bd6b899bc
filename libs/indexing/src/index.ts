export { awaitPosition } from './await-position';
export { type GuardedParts } from './index-guard';
export { rebuildIndex, type IndexingParts } from './index-entities';
export { indexLag } from './index-lag';
export { IndexFollower, type FollowedIndex } from './index-follower';
export { IndexPositionWatch, type WatchedIndexes } from './index-position-watch';

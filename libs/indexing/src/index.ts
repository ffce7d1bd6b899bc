export { awaitPosition } from './await-position';
export { rebuildIndex, type IndexingParts } from './index-entities';
export { indexLag } from './index-lag';
export { IndexFollower, type FollowedIndex } from './index-follower';
export { IndexPositionWatch, type WatchedIndexes } from './index-position-watch';

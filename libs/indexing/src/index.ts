export { awaitPosition } from './await-position';
export { type GuardedDeps } from './index-guard';
export { rebuildIndex, type IndexingDeps } from './index-entities';
export { indexLag } from './index-lag';
export { IndexFollower, type FollowedIndex } from './index-follower';
export { CheckpointPoller, type PolledIndexes } from './checkpoint-poller';

export { KafkaCluster, type KafkaSettings } from './kafka-cluster';
export { KafkaProposalLog, type KafkaProposalLogOptions } from './proposal-log';
export { topicNamesOf, type TopicNames } from './topic-names';
export type { ReaderTiming } from './topic-reader';

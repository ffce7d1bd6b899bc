export { KafkaChangeLog, type KafkaChangeLogOptions } from './change-log';
export { jsonChange, type ChangeEncoding } from './change-record-message';
export { ChangeRelay, type ChangeRelayOptions, type RelayTiming } from './change-relay';
export { KafkaCluster, type KafkaSettings } from './kafka-cluster';
export { KafkaProposalLog, type KafkaProposalLogOptions } from './proposal-log';
export { topicNamesOf, type TopicNames } from './topic-names';
export type { ReaderTiming } from './topic-reader';

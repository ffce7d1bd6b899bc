export { avroChanges } from './avro/avro-records';
export { KafkaChangeLog } from './change-log/change-log';
export { type ChangeEncodings } from './change-log/change-record-message';
export { ChangeRelay } from './change-log/change-relay';
export { withoutRepeats } from './cluster/client-log';
export { HttpSchemaRegistry } from './avro/http-schema-registry';
export { KafkaCluster } from './cluster/kafka-cluster';
export { OwnSchemaRegistry } from './avro/own-schema-registry';
export { KafkaProposalLog } from './proposal-log/proposal-log';

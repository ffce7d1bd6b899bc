export { type AcceptedBatch, type AcceptedRecord, type CheckedRecord } from './checked-record';
export { decideWrites } from './decide-writes';
export { writerStage } from './writer-stage';

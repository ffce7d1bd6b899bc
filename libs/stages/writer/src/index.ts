export { decideWrites, type CheckedRecord } from './decide-writes';
export { writerStage } from './writer-stage';

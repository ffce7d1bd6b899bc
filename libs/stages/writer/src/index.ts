export { decideWrites, type CheckedRecord } from './decide-writes';
export { proposalHandler, type ProposalHandlerOptions } from './proposal-handler';
export { WriterModule } from './writer.module';

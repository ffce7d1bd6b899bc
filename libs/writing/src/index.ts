export { TableProposalLog } from './queue/table-proposal-log';
export { LogSubmitter } from './submission/log-submitter';

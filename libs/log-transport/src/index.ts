export { type ChangeContext } from './batch-context';
export { ConsumesChanges, ConsumesProposals } from './consumer.decorators';
export { LogServer, type Logs } from './log-server';

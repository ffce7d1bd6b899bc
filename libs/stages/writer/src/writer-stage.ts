import type { ProposalLog, Stage } from '@stratalog/ports';
import { proposalHandler, type ProposalHandlerOptions } from './proposal-handler';

export interface WriterParts extends ProposalHandlerOptions {
  readonly proposals: ProposalLog;
}

/** Applies the proposal log to the store. */
export const writerStage: Stage<WriterParts, never> = {
  name: 'writer',
  open: (parts) => ({
    consumers: [{ name: 'writer', consumption: parts.proposals.consume(proposalHandler(parts)) }],
  }),
};

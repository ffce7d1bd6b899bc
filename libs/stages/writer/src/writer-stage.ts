import type { Consumption, ProposalLog, Stage } from '@stratalog/ports';
import { proposalHandler, type ProposalHandlerOptions } from './proposal-handler';

export interface WriterParts extends ProposalHandlerOptions {
  readonly proposals: ProposalLog;
  /** Publishes what was written, where readers do not look at the store themselves. */
  readonly relay?: Consumption;
}

/** Applies the proposal log to the store. */
export const writerStage: Stage<WriterParts, never> = {
  name: 'writer',
  open: (parts) => ({
    consumers: [
      { name: 'writer', consumption: parts.proposals.consume(proposalHandler(parts)) },
      ...(parts.relay === undefined ? [] : [{ name: 'relay', consumption: parts.relay }]),
    ],
  }),
};

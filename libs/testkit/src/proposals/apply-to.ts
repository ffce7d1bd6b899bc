import {
  StratalogError,
  proposalsIn,
  type AppliedOutcome,
  type Proposal,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/domain';
import type { AspectStore, BatchHandler } from '@stratalog/ports';
import { plainBatch } from '../builders';

/** Creates a handler that writes every proposal as a new version, and rejects undecodable records. */
export function applyTo(
  store: AspectStore,
  onApplied: (proposal: Proposal) => void = () => undefined,
): BatchHandler<ProposalEntry, WriteOutcome> {
  return async ({ records, ranges }) => {
    const proposals = records.flatMap(({ content }) =>
      content.kind === 'decoded' ? proposalsIn(content.value) : [],
    );
    const writes = proposals.map(({ urn, aspectName, value }) => ({ urn, aspectName, value: value ?? '' }));
    try {
      const written = [...(await store.commit(plainBatch(ranges, writes)))] as AppliedOutcome[];
      proposals.forEach(onApplied);
      const results = records.flatMap(({ content }): WriteOutcome[] => {
        if (content.kind !== 'decoded') return [{ kind: 'rejected', reason: content.reason }];
        if (!('proposals' in content.value)) return written.splice(0, 1);
        return [{ kind: 'batch', outcomes: written.splice(0, content.value.proposals.length) }];
      });
      return { kind: 'done', results };
    } catch (cause) {
      if (cause instanceof StratalogError && cause.retryable) return { kind: 'retry', cause };
      throw cause;
    }
  };
}

import { PRECONDITION_HEADERS, type Proposal, type UnknownNames } from '@stratalog/domain';
import type { WireRequest } from '@stratalog/http';

/**
 * Reports conditions that a call has as HTTP headers alone. They belong to a proposal, and the original ignores them elsewhere: a
 * caller would take a lost update for a guarded one.
 */
export function reportStrayConditions(
  { headers: sent }: Pick<WireRequest, 'headers'>,
  proposals: readonly Pick<Proposal, 'headers'>[],
  unknown: UnknownNames,
): void {
  for (const name of PRECONDITION_HEADERS) {
    if (sent[name.toLowerCase()] === undefined) continue;
    if (proposals.some(({ headers = {} }) => headers[name] !== undefined)) continue;
    unknown.reportSentence(`the HTTP header ${name} is ignored: conditions are members of proposal.headers`);
  }
}

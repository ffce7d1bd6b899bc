import {
  InvalidProposalError,
  MAX_MEMBER_FAULTS,
  PROPOSAL_HEADERS,
  nearestName,
  readProposal,
  rejectionAt,
  type MemberFault,
  type ReportUnknown,
  type Proposal,
  type ProposalContext,
  type ProposalReading,
} from '@stratalog/domain';
import { isJsonObject, type JsonObject, type JsonValue, type Steps } from '@stratalog/json';
import { INGEST_PROPOSAL, INGEST_PROPOSAL_BATCH } from './aspects.routes';

/** Most headers that are checked for misspelt names. */
const MAX_HEADERS = 50;

/**
 * Parses the members of the `proposal` parameter of an ingest call.
 *
 * **Errors**: `InvalidRequestError` with every member that is missing or of the wrong type; `InvalidProposalError`
 * for an aspect with a content type other than JSON.
 */
export function parseProposal(
  members: JsonObject,
  context: ProposalContext,
  report: ReportUnknown,
): Proposal {
  reportMisspeltHeaders(members, '/proposal', report);
  const read = readProposal(members, context);
  return 'proposal' in read ? read.proposal : INGEST_PROPOSAL.rejectAll(read.faults, 'proposal');
}

/**
 * Parses the elements of the `proposals` parameter of a batch.
 *
 * **Errors**: those of a single proposal, with its index; at most the first ten faulty members.
 */
export function* parseProposals(
  elements: readonly JsonValue[],
  context: ProposalContext,
  report: ReportUnknown,
): Steps<readonly Proposal[]> {
  const proposals: Proposal[] = [];
  const faults: MemberFault[] = [];
  for (const [at, members] of elements.entries()) {
    reportMisspeltHeaders(members, `/proposals/${String(at)}`, report);
    const read = readAt(at, members, context);
    if ('proposal' in read) proposals.push(read.proposal);
    else faults.push(...read.faults.map(({ path, reason }) => ({ path: pathAt(at, path), reason })));
    if (faults.length >= MAX_MEMBER_FAULTS) break;
    yield;
  }
  if (faults.length > 0) INGEST_PROPOSAL_BATCH.rejectAll(faults.slice(0, MAX_MEMBER_FAULTS), 'proposals');
  return proposals;
}

/** Clients send headers for other receivers. A name close to a known header is most likely a misspelling of it. */
export function reportMisspeltHeaders(
  members: JsonValue,
  place: string,
  report: ReportUnknown,
  names: readonly string[] = PROPOSAL_HEADERS,
): void {
  const headers = isJsonObject(members) ? members.headers : undefined;
  if (!isJsonObject(headers)) return;
  const known = new Set(names.map((name) => name.toLowerCase()));
  for (const name of Object.keys(headers).slice(0, MAX_HEADERS)) {
    if (known.has(name.toLowerCase()) || nearestName(name, names) === undefined) continue;
    report(`${place}/headers/`, name, names);
  }
}

function readAt(at: number, members: JsonValue, context: ProposalContext): ProposalReading {
  if (!isJsonObject(members)) return { faults: [{ path: '', reason: 'is not an object' }] };
  try {
    return readProposal(members, context);
  } catch (error) {
    if (error instanceof InvalidProposalError) throw new InvalidProposalError(rejectionAt(at, error.message));
    throw error;
  }
}

function pathAt(at: number, path: string): string {
  return path === '' ? String(at) : `${String(at)}/${path}`;
}

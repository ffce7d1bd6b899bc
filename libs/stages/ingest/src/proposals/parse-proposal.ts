import {
  InvalidProposalError,
  MAX_MEMBER_FAULTS,
  PROPOSAL_HEADERS,
  isJsonObject,
  nearestName,
  readProposal,
  rejectionAt,
  type JsonValue,
  type MemberFault,
  type NoteUnknown,
  type Proposal,
  type ProposalContext,
  type ProposalReading,
  type Steps,
} from '@stratalog/model';
import { MAX_BATCH_ELEMENTS, type ActionParameters } from '@stratalog/http';

/** Most headers that are checked for misspelt names. */
const MAX_HEADERS = 50;

/**
 * Parses the `proposal` parameter of an ingest call.
 *
 * **Errors**: `InvalidRequestError` with every member that is missing or of the wrong type; `InvalidProposalError`
 * for an aspect with a content type other than JSON.
 */
export function parseProposal(
  parameters: ActionParameters,
  context: ProposalContext,
  note: NoteUnknown,
): Proposal {
  const members = parameters.requiredObject('proposal');
  noteMisspeltHeaders(members, '/proposal', note);
  const read = readProposal(members, context);
  return 'proposal' in read ? read.proposal : parameters.rejectAll(read.faults, 'proposal');
}

/**
 * Parses the `proposals` parameter of a batch.
 *
 * **Errors**: those of a single proposal, with its index; at most the first ten faulty members.
 */
export function* parseProposals(
  parameters: ActionParameters,
  context: ProposalContext,
  note: NoteUnknown,
): Steps<readonly Proposal[]> {
  const proposals: Proposal[] = [];
  const faults: MemberFault[] = [];
  for (const [at, members] of parameters.requiredBatch('proposals', MAX_BATCH_ELEMENTS).entries()) {
    noteMisspeltHeaders(members, `/proposals/${String(at)}`, note);
    const read = readAt(at, members, context);
    if ('proposal' in read) proposals.push(read.proposal);
    else faults.push(...read.faults.map(({ path, reason }) => ({ path: pathAt(at, path), reason })));
    if (faults.length >= MAX_MEMBER_FAULTS) break;
    yield;
  }
  if (faults.length > 0) parameters.rejectAll(faults.slice(0, MAX_MEMBER_FAULTS), 'proposals');
  return proposals;
}

/** Clients send headers for other receivers. A name close to a known header is most likely a misspelling of it. */
function noteMisspeltHeaders(members: JsonValue, place: string, note: NoteUnknown): void {
  const headers = isJsonObject(members) ? members.headers : undefined;
  if (!isJsonObject(headers)) return;
  const known = new Set(PROPOSAL_HEADERS.map((name) => name.toLowerCase()));
  for (const name of Object.keys(headers).slice(0, MAX_HEADERS)) {
    if (known.has(name.toLowerCase()) || nearestName(name, PROPOSAL_HEADERS) === undefined) continue;
    note(`${place}/headers/`, name, PROPOSAL_HEADERS);
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

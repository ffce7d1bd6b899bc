import {
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonOutputObject,
  type ProposalEntry,
} from '@stratalog/model';

/** Encodes an entry for the log table as JSON text that holds 64-bit integers exactly. */
export function encodeProposal(proposal: ProposalEntry): string {
  return stringifyJson(proposal as unknown as JsonOutputObject);
}

/** Decodes the text of {@link encodeProposal}; the table has no other writer. */
export function decodeProposal(text: string): ProposalEntry {
  return parseJson(text) as JsonObject as unknown as ProposalEntry;
}

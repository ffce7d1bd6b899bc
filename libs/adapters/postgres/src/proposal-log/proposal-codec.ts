import {
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonOutputObject,
  type ProposalEntry,
} from '@stratalog/model';

/** An entry as the log table keeps it: JSON text that holds 64-bit integers exactly. */
export function encodeProposal(proposal: ProposalEntry): string {
  return stringifyJson(proposal as unknown as JsonOutputObject);
}

/** Reads back what {@link encodeProposal} wrote; the table has no other writer. */
export function decodeProposal(text: string): ProposalEntry {
  return parseJson(text) as JsonObject as unknown as ProposalEntry;
}

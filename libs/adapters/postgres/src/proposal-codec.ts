import {
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonOutputObject,
  type Proposal,
} from '@stratalog/model';

/** A proposal as the log table keeps it: JSON text that holds 64-bit integers exactly. */
export function encodeProposal(proposal: Proposal): string {
  return stringifyJson(proposal as unknown as JsonOutputObject);
}

/** Reads back what {@link encodeProposal} wrote; the table has no other writer. */
export function decodeProposal(text: string): Proposal {
  return parseJson(text) as JsonObject as unknown as Proposal;
}

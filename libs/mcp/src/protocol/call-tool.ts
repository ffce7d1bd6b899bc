import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { CallRejectedError, NoAnswerError } from '@stratalog/client';
import { StratalogError } from '@stratalog/domain';
import { formatAnswer, formatRejection } from '../answers/format-answer';
import { makeCursor, readCursor } from '../answers/cursor';
import type { Clients, Tool } from '../tools/tool';

/** Statuses of calls that the catalog failed to answer; the others are rejections, which an assistant can do something about. */
const FAULT = 500;

/**
 * Calls a tool. A rejection is an answer: the assistant reads the same words as any other caller.
 *
 * **Errors**: faults of the catalog.
 */
export async function callTool(
  { listed, run }: Tool,
  { cursor, ...given }: Readonly<Record<string, unknown>>,
  clients: Clients,
): Promise<CallToolResult> {
  try {
    const call = { tool: listed.name, given };
    const found = await run(clients, given, readCursor(call, cursor));
    const text = formatAnswer(found, (place) => makeCursor(call, place));
    return { content: [{ type: 'text', text }] };
  } catch (error) {
    if (!isRejection(error)) throw error;
    const text = error instanceof CallRejectedError ? formatRejection(error.message) : error.message;
    return { content: [{ type: 'text', text }], isError: true };
  }
}

function isRejection(error: unknown): error is Error {
  if (error instanceof CallRejectedError) return error.status !== FAULT;
  if (error instanceof StratalogError) return error.code !== 'fault';
  return error instanceof NoAnswerError;
}

import { setIndexPosition, waitForPosition, type WireReply, type WireRequest } from '@stratalog/http';
import type { PositionedReads, IndexedAnswer } from '@stratalog/indexing';
import type { JsonOutput } from '@stratalog/json';

/** Waits for the position that the request names, queries the index, and sets the position headers. */
export async function answerFromIndex(
  reads: PositionedReads,
  request: WireRequest,
  reply: WireReply,
  runQuery: () => Promise<IndexedAnswer>,
): Promise<JsonOutput> {
  const { body, at, lag } = await reads.answer(waitForPosition(request), runQuery);
  setIndexPosition(reply, at, lag);
  return body;
}

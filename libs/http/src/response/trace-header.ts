import type { WireReply } from '../request/wire';

/** Names the trace of a write in its answer, as W3C Trace Context does, for a later call that asks what became of it. */
export function setTraceparent(reply: WireReply, traceparent: string): void {
  void reply.header('traceparent', traceparent);
}

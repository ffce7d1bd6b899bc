import type { WireReply } from '../request/wire';

/** Names the trace of a write in its answer, for a later call that asks what became of it. **Source**: W3C Trace Context. */
export function setTraceparent(reply: WireReply, traceparent: string): void {
  void reply.header('traceparent', traceparent);
}

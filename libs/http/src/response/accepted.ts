import type { WireReply } from '../request/wire';

/** Answers that the work of the call is taken, and not done yet. */
export function setAccepted(reply: WireReply): void {
  void reply.code(202);
}

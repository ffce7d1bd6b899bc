import { registerCodecs } from './codecs';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

/** How soon a request that had to queue is looked at again when no throttle says later; the client's own figure. */
const PENDING_CHECK_MS = 10;

let repaired = false;

/**
 * kafkajs 2.2.4 ends each look at a connection's queue by planning the next one at "throttle end minus now", which is a negative
 * time when nothing is throttled: a timer of one millisecond for ever, on each connection, and a warning on newer Nodes. Here the
 * next look is planned only when there is something to look for.
 */
export function repairKafkajs(): void {
  if (repaired) return;
  repaired = true;
  registerCodecs();
  RequestQueue.prototype.scheduleCheckPendingRequests = function scheduleCheckPendingRequests(
    this: RequestQueue,
  ): void {
    if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return;
    const throttledMs = this.throttledUntil - Date.now();
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      throttledMs > 0 ? throttledMs : PENDING_CHECK_MS,
    );
  };
}

import { UnavailableError } from '@stratalog/model';
import Connection from 'kafkajs/src/network/connection.js';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import { registerCodecs } from './codecs';

/** How soon a request that had to queue is looked at again when no throttle says later; the client's own figure. */
const PENDING_CHECK_MS = 10;

let repaired = false;

/** Repairs the client once, for the whole process. */
export function repairKafkajs(): void {
  if (repaired) return;
  repaired = true;
  registerCodecs();
  repairTimers();
  repairConnecting();
}

/**
 * kafkajs 2.2.4 ends each look at a connection's queue by planning the next one at "throttle end minus now", which is a negative
 * time when nothing is throttled: a timer of one millisecond for ever, on each connection, and a warning on newer Nodes. Here the
 * next look is planned only when there is something to look for.
 */
function repairTimers(): void {
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

/**
 * kafkajs opens one more socket for each request that comes while a connection is being made, and keeps the last. The others stay
 * open, hold the process after its end, and cut the one that is used when they close. Here all wait for one.
 */
function repairConnecting(): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called on the connection that it is taken from
  const { connect } = Connection.prototype;
  const connecting = new WeakMap<Connection, Promise<unknown>>();
  Connection.prototype.connect = function connectOnce(this: Connection): Promise<unknown> {
    const known = connecting.get(this);
    if (known !== undefined) return known;
    const own = inTime(connect.call(this), this.connectionTimeout).finally(() => connecting.delete(this));
    connecting.set(this, own);
    return own;
  };
}

/** A socket that ends while it connects settles nothing at all. */
async function inTime(connected: Promise<unknown>, connectionTimeoutMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new UnavailableError('Kafka ended a connection before it was made'));
    }, 2 * connectionTimeoutMs);
  });
  try {
    return await Promise.race([connected, late]);
  } finally {
    clearTimeout(timer);
  }
}

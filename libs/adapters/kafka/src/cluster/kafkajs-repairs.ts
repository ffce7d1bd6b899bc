import { UnavailableError } from '@stratalog/domain';
import Connection from 'kafkajs/src/network/connection.js';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import { registerCodecs } from '../decompression/codecs';
import { repairFetchAnswers } from '../decompression/fetch-answers';

/** Interval between checks of queued requests when there is no throttle; the client's own value. */
const PENDING_CHECK_MS = 10;

let repaired = false;

/** Repairs the client once per process. */
export function repairKafkajs(): void {
  if (repaired) return;
  repaired = true;
  registerCodecs();
  repairFetchAnswers();
  repairTimers();
  repairConnecting();
}

/**
 * kafkajs 2.2.4 ends each check of a connection's queue by scheduling the next at "throttle end minus now". That is
 * negative without a throttle: an endless timer of one millisecond per connection, and a warning on newer Node
 * versions. This replacement schedules a check only while requests wait.
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
 * kafkajs opens another socket for each request that arrives during a connect, and keeps the last. The others stay
 * open, keep the process alive, and cut the used one when they close. With this replacement all requests share one
 * connect.
 */
function repairConnecting(): void {
  // oxlint-disable-next-line typescript/unbound-method -- called on the connection that it is taken from
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

/** A socket that ends while it connects settles no promise. */
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

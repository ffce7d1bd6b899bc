/** What we reach for inside kafkajs because it does not offer it; `kafkajs-repairs.ts` and `raw-requests.ts` say why. */
declare module 'kafkajs/src/network/requestQueue/index.js' {
  class RequestQueue {
    pending: unknown[];
    throttledUntil: number;
    throttleCheckTimeoutId: NodeJS.Timeout | null;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
  }
  export default RequestQueue;
}

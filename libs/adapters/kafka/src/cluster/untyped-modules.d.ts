/** Internals of kafkajs that its types do not offer; `kafkajs-repairs.ts` and `raw-requests.ts` state the reasons. */
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

declare module 'kafkajs/src/network/connection.js' {
  class Connection {
    connectionTimeout: number;
    connect(): Promise<unknown>;
  }
  export default Connection;
}

declare module 'lz4js' {
  const lz4: { decompress(bytes: Uint8Array): Uint8Array | number[] };
  export default lz4;
}

declare module 'snappyjs' {
  const snappy: { compress(bytes: Buffer): Buffer; uncompress(bytes: Buffer): Buffer };
  export default snappy;
}

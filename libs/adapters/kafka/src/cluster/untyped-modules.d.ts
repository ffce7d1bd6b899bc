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

declare module 'kafkajs/src/protocol/decoder.js' {
  class Decoder {
    constructor(bytes: Buffer);
    readInt16(): number;
    readInt32(): number;
    readInt64(): { toString(): string };
    readString(): string;
    readBytes(length: number): Buffer;
    canReadBytes(length: number): boolean;
    readArray<T>(read: (decoder: Decoder) => T): T[];
    readArrayAsync<T>(read: (decoder: Decoder) => Promise<T>): Promise<T[]>;
  }
  export default Decoder;
}

declare module 'kafkajs/src/protocol/messageSet/decoder.js' {
  import type { KafkaMessage } from 'kafkajs';
  import type Decoder from 'kafkajs/src/protocol/decoder.js';
  const decode: (decoder: Decoder, size: number) => Promise<KafkaMessage[]>;
  export default decode;
}

declare module 'kafkajs/src/protocol/recordBatch/v0/decoder.js' {
  import type { KafkaMessage } from 'kafkajs';
  import type Decoder from 'kafkajs/src/protocol/decoder.js';
  const decode: (decoder: Decoder) => Promise<{ records: KafkaMessage[] }>;
  export default decode;
}

declare module 'kafkajs/src/protocol/requests/fetch/v11/response.js' {
  const response: { decode: (bytes: Buffer) => Promise<object> };
  export default response;
}

declare module 'lz4js' {
  const lz4: {
    compress(bytes: Uint8Array): Uint8Array;
    compressBound(length: number): number;
    compressBlock(from: Uint8Array, to: Uint8Array, at: number, length: number, table: Uint32Array): number;
  };
  export default lz4;
}

declare module 'lz4js/xxh32.js' {
  const xxh32: { hash(seed: number, bytes: Uint8Array, at: number, length: number): number };
  export default xxh32;
}

declare module 'snappyjs' {
  const snappy: { compress(bytes: Buffer): Buffer; uncompress(bytes: Buffer, maxLength?: number): Buffer };
  export default snappy;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ThrottledError, TooLargeError } from '@stratalog/model';
import { hasBody } from './has-body';
import { readContentEncoding } from './content-encoding';

/**
 * Bounds the total memory for the bodies of all requests under way. A body counts with its declared length as
 * soon as its head arrives, before any byte is kept. A body without a declared length, or with a content
 * encoding, counts with the maximum size.
 *
 * **Units**: both limits are bytes as they come over the wire; the values that are parsed from them take
 * more.
 */
export class BodyBudget {
  private readonly limit: number;
  private taken = 0;
  /**
   * The bytes that each open connection holds: when a connection breaks, no event reports the requests that
   * are pipelined on it.
   */
  private readonly held = new WeakMap<Socket, number>();

  constructor(maxBodyBytes: number, maxInFlightBytes: number) {
    this.limit = Math.max(maxInFlightBytes, maxBodyBytes);
  }

  /**
   * Counts the body of a request until its answer is sent or its connection breaks; `maxBytes` is the limit
   * of its route.
   *
   * **Errors**: `TooLargeError` for a body above its own limit, `ThrottledError` when it exceeds the
   * remaining budget.
   */
  admit(request: IncomingMessage, response: ServerResponse, maxBytes: number): void {
    const bytes = this.bytesOf(request, maxBytes);
    if (bytes === 0) return;
    if (bytes > maxBytes) throw bodyTooLarge(maxBytes);
    if (this.taken + bytes > this.limit) {
      throw new ThrottledError(
        'The bodies of the requests under way take all the memory that is set aside for them: repeat the call',
      );
    }
    const { socket } = request;
    this.hold(socket, bytes);
    response.once('close', () => {
      this.release(socket, bytes);
    });
  }

  private bytesOf(request: IncomingMessage, maxBytes: number): number {
    if (!hasBody(request)) return 0;
    const { headers } = request;
    if (headers['transfer-encoding'] !== undefined) return maxBytes;
    const declared = Number(headers['content-length'] ?? 0);
    const isEncoded = readContentEncoding(headers['content-encoding']) !== undefined;
    return isEncoded ? Math.max(declared, maxBytes) : declared;
  }

  private hold(socket: Socket, bytes: number): void {
    const before = this.held.get(socket);
    if (before === undefined) {
      socket.once('close', () => {
        this.taken -= this.held.get(socket) ?? 0;
        this.held.delete(socket);
      });
    }
    this.held.set(socket, (before ?? 0) + bytes);
    this.taken += bytes;
  }

  private release(socket: Socket, bytes: number): void {
    const before = this.held.get(socket);
    // A connection that broke has released everything already.
    if (before === undefined) return;
    this.held.set(socket, before - bytes);
    this.taken -= bytes;
  }
}

/** Makes the one rejection of a body above the limit, whether its length was declared or measured. */
export function bodyTooLarge(maxBytes?: number): TooLargeError {
  const limit = maxBytes === undefined ? '' : ` of this call, which is ${String(maxBytes)} bytes`;
  return new TooLargeError(`The body of the request is larger than the limit${limit}`);
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { MemoryShare } from './memory-share';
import { RequestMemory } from './request-memory';

/** **Units**: bytes. */
export interface MemoryLimits {
  /** For bodies that arrive or wait to be parsed. They lie outside the heap. */
  readonly bodies: number;
  /** In the heap, for requests under way with their queries. */
  readonly requests: number;
  /** In the heap, for the values of small bodies. */
  readonly smallValues: number;
  /** In the heap, for the values of all other bodies; one body may take all of it. */
  readonly largeValues: number;
}

const MB = 1024 * 1024;
/** Heap that a process takes for itself, with the shipped model: it starts with 60 MB. */
const OWN_HEAP = 64 * MB;
const LEAST_HEAP = 32 * MB;
/** Eight of the largest bodies. */
const MAX_BODIES = 128 * MB;

/**
 * Divides the memory of a process by the limit of its heap. A quarter of the heap stays free for what a budget does not
 * count: answers, and what is garbage already. `maxBodyBytes` always fit.
 */
export function divideMemory(
  maxBodyBytes: number,
  heapLimit: number = getHeapStatistics().heap_size_limit,
): MemoryLimits {
  const heap = Math.max(LEAST_HEAP, heapLimit - OWN_HEAP);
  return {
    bodies: Math.max(maxBodyBytes, Math.min(MAX_BODIES, heapLimit / 4)),
    requests: 0.1 * heap,
    smallValues: 0.1 * heap,
    largeValues: 0.55 * heap,
  };
}

/** Charges the requests of a server for the memory that they take, as long as they take it. */
export class MemoryBudget {
  readonly bodies: MemoryShare;
  readonly requests: MemoryShare;
  readonly smallValues: MemoryShare;
  readonly largeValues: MemoryShare;
  /** When a connection breaks, no event reports the requests that are pipelined on it. */
  private readonly onSocket = new WeakMap<Socket, Set<RequestMemory>>();

  constructor(limits: MemoryLimits) {
    this.bodies = new MemoryShare(limits.bodies);
    this.requests = new MemoryShare(limits.requests);
    this.smallValues = new MemoryShare(limits.smallValues);
    this.largeValues = new MemoryShare(limits.largeValues);
  }

  /** The memory of one request, which is given back when its answer is sent, or when it ends after its connection broke. */
  open({ socket }: IncomingMessage, response: ServerResponse): RequestMemory {
    const memory = new RequestMemory(this);
    const open = this.onSocket.get(socket) ?? this.watch(socket);
    open.add(memory);
    response.once('close', () => {
      open.delete(memory);
      memory.close();
    });
    return memory;
  }

  private watch(socket: Socket): Set<RequestMemory> {
    const open = new Set<RequestMemory>();
    this.onSocket.set(socket, open);
    socket.once('close', () => {
      for (const memory of open) memory.close();
    });
    return open;
  }
}

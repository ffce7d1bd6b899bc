import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { UnavailableError } from '@stratalog/domain';
import { Semaphore, withinLimits } from '@stratalog/concurrency';

/** The input of a layout: boxes of a size, and lines between them. **Units**: pixels. */
export interface LayoutRequest {
  readonly boxes: readonly { readonly width: number; readonly height: number }[];
  /** Lines by the places of their boxes in `boxes`, each pair once. */
  readonly lines: readonly (readonly [from: number, to: number])[];
}

export interface Coordinates {
  readonly x: number;
  readonly y: number;
}

/** **Units**: pixels from the upper left corner. */
export interface Layout {
  /** The middle of each box. */
  readonly boxes: readonly Coordinates[];
  /** Where each line begins, passes the layers, and ends. */
  readonly lines: readonly (readonly Coordinates[])[];
}

/** Most pictures that wait for a thread. */
const MAX_WAITING = 50;
/** Memory of a thread; the largest picture needs a fifth of it. */
const MAX_HEAP_MB = 256;

/**
 * The program of a thread, as text, because an app is bundled into one file. The layout of 60 boxes takes up to half a
 * second on a cold thread; on the event loop all other requests would wait for it.
 */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { Graph, layout } = require(workerData.library);
const { boxes, lines } = workerData.request;
const graph = new Graph();
graph.setGraph({ rankdir: 'LR', nodesep: 20, edgesep: 16, ranksep: 90, marginx: 24, marginy: 24 });
boxes.forEach((box, at) => graph.setNode(String(at), { ...box }));
for (const [from, to] of lines) graph.setEdge(String(from), String(to), {});
layout(graph);
const toCoordinates = ({ x, y }) => ({ x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 });
parentPort.postMessage({
  boxes: boxes.map((_, at) => toCoordinates(graph.node(String(at)))),
  lines: lines.map(([from, to]) => graph.edge(String(from), String(to)).points.map(toCoordinates)),
});
`;

/**
 * Places boxes in layers from left to right, in a thread of its own for each picture.
 *
 * Two pictures are placed at a time. A caller that leaves, or whose time limit passes, ends its thread.
 */
export class LayoutThreads {
  private readonly turns = new Semaphore(2);
  private readonly library = createRequire(import.meta.url).resolve('@dagrejs/dagre');
  private waiting = 0;

  /**
   * **Errors**: `UnavailableError` when 50 pictures wait already, or when the thread runs out of memory; those of
   * `withinLimits`.
   */
  async place(request: LayoutRequest): Promise<Layout> {
    if (this.waiting >= MAX_WAITING) {
      throw new UnavailableError('Too many pictures are being drawn');
    }
    this.waiting++;
    try {
      return await withinLimits((signal) => this.turns.run(() => this.run(request, signal), signal));
    } finally {
      this.waiting--;
    }
  }

  private async run(request: LayoutRequest, signal: AbortSignal | undefined): Promise<Layout> {
    const thread = new Worker(PROGRAM, {
      eval: true,
      workerData: { library: this.library, request },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const end = (): void => void thread.terminate();
    signal?.addEventListener('abort', end, { once: true });
    try {
      return await readAnswer(thread);
    } finally {
      signal?.removeEventListener('abort', end);
      await thread.terminate();
    }
  }
}

function readAnswer(thread: Worker): Promise<Layout> {
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', (cause: Error & { readonly code?: string }) => {
      const isTooLarge = cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
      reject(
        isTooLarge
          ? new UnavailableError('The picture is too large to be drawn; ask for fewer nodes')
          : cause,
      );
    });
    thread.once('exit', () => {
      reject(new UnavailableError('The picture was not drawn'));
    });
  });
}

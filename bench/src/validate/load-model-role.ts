import { fileURLToPath } from 'node:url';
import { loadModel } from '@stratalog/registry';
import { answerCommands } from '../processes/answer-commands';

const MODELS = fileURLToPath(new URL('../../models', import.meta.url));

export interface LoadFigures {
  readonly tookMs: number;
  /** Processor time, of the compiler's and collector's threads as well: what a busy machine does not change much. */
  readonly cpuMs: number;
  /** What the process holds in memory after the load more than before it. **Units**: 2^20 bytes. */
  readonly residentMb: number;
  readonly types: number;
}

/** What the bench asks of a process that has loaded nothing yet. */
export interface LoadModelCommands {
  load(argument: Record<string, never>): Promise<LoadFigures>;
}

/** A process that knows no model until it is asked for one: what a start of the catalog meets. */
export function loadModelRole(): void {
  answerCommands<LoadModelCommands>({
    commands: {
      load: async () => {
        const before = process.memoryUsage.rss();
        const start = performance.now();
        const cpuBefore = process.cpuUsage();
        const registry = await loadModel({ folders: [MODELS] });
        const tookMs = performance.now() - start;
        const { user, system } = process.cpuUsage(cpuBefore);
        const residentMb = Math.max(0, process.memoryUsage.rss() - before) / 2 ** 20;
        // Named after the measurement, so that it is still held while memory is measured.
        return { tookMs, cpuMs: (user + system) / 1000, residentMb, types: registry.types.length };
      },
    },
    end: () => Promise.resolve(),
  });
}

import { join } from 'node:path';
import { ROOT } from '@stratalog/harness';
import { loadModel } from '@stratalog/registry';
import { answerCommands } from '../processes/answer-commands';

const MODELS = join(ROOT, 'models');

interface LoadFigures {
  readonly tookMs: number;
  /** Processor time, including the compiler's and collector's threads: a busy machine hardly changes it. */
  readonly cpuMs: number;
  /** The growth of the process's memory by the load. **Units**: 2^20 bytes. */
  readonly residentMb: number;
  readonly types: number;
}

/** The commands of a process that has loaded nothing yet. */
export interface LoadModelCommands {
  load(argument: Record<string, never>): Promise<LoadFigures>;
}

/** A process without a model until a command loads one, like the start of a catalog. */
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
        // Used after the measurement, so that the model is still held while memory is measured.
        return { tookMs, cpuMs: (user + system) / 1000, residentMb, types: registry.types.length };
      },
    },
    end: () => Promise.resolve(),
  });
}

import { answerCommands } from '../processes/answer-commands';
import { WriteWorkload } from '../workload/write-workload';
import { readHistories, writeHistories, type Histories, type HistoryLoad } from './history-reads';
import type { LoadFigures } from './load-figures';
import {
  askAll,
  readTimeseries,
  searchAll,
  type AskLoad,
  type ReadLoad,
  type SearchFigures,
  type SearchLoad,
} from './read-loads';
import { fillInBatches, writeShaped, type ShapedLoad } from './shaped-writes';
import {
  fill,
  writeClosed,
  writePacedWatchingIndex,
  writeToSearchable,
  writeVersions,
  type AgedFigures,
  type PacedWriteLoad,
  type SearchableFigures,
  type VersionFigures,
  type WriteLoad,
} from './write-loads';

/**
 * The commands of the load generator. It remembers its writes by url, so that reads request existing data.
 */
export interface LoadCommands {
  fill(argument: { readonly url: string; readonly count: number }): Promise<LoadFigures>;
  write(argument: WriteLoad): Promise<LoadFigures>;
  writePaced(argument: PacedWriteLoad): Promise<AgedFigures>;
  writeToSearchable(argument: PacedWriteLoad & { readonly sampleEvery: number }): Promise<SearchableFigures>;
  writeVersions(argument: {
    readonly url: string;
    readonly entities: number;
    readonly versions: number;
  }): Promise<VersionFigures>;
  read(argument: ReadLoad): Promise<LoadFigures>;
  search(argument: SearchLoad): Promise<SearchFigures>;
  ask(argument: AskLoad): Promise<LoadFigures>;
  fillInBatches(argument: Parameters<typeof fillInBatches>[1]): Promise<LoadFigures>;
  writeShaped(argument: ShapedLoad): Promise<LoadFigures>;
  writeHistories(argument: Parameters<typeof writeHistories>[1]): Promise<Histories>;
  readHistories(argument: HistoryLoad): Promise<LoadFigures>;
}

const SEED = 1;

/** The load generator, in a process of its own. */
export function load(): void {
  const workloads = new Map<string, { readonly main: WriteWorkload; readonly probes: WriteWorkload }>();
  const of = (url: string) => {
    const known = workloads.get(url) ?? {
      main: new WriteWorkload(SEED),
      probes: new WriteWorkload(SEED, 'probes'),
    };
    workloads.set(url, known);
    return known;
  };
  answerCommands<LoadCommands>({
    commands: {
      fill: (argument) => fill(of(argument.url).main, argument),
      write: (argument) => writeClosed(of(argument.knownAs ?? argument.url).main, argument),
      writePaced: (argument) => writePacedWatchingIndex(of(argument.url).main, argument),
      writeToSearchable: (argument) => {
        const { main, probes } = of(argument.url);
        return writeToSearchable(main, probes, argument);
      },
      writeVersions: (argument) => writeVersions(of(argument.url).main, argument),
      read: (argument) => readTimeseries(of(argument.url).main, argument),
      search: searchAll,
      ask: askAll,
      fillInBatches: (argument) => fillInBatches(of(argument.url).main, argument),
      writeShaped: (argument) => writeShaped(of(argument.url).main, argument),
      writeHistories: (argument) => writeHistories(of(argument.url).main, argument),
      readHistories,
    },
    end: () => Promise.resolve(),
  });
}

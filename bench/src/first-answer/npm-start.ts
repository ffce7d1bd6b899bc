import { Program, plainEnvironment } from '@stratalog/harness';

const READY = /^stratalog ready (\S+)$/m;
const INSTALLING = /^stratalog: installing packages/m;
const BUILT = /^stratalog: built .* in (\d+) ms$/m;
const LIMIT_MS = 300_000;

/** `npm start` in a fresh clone, with the time of each step. */
export class NpmStart extends Program {
  private readonly seenMs = new Map<RegExp, number>();

  constructor(folder: string, dataDir: string) {
    super('npm', {
      isCommand: true,
      args: ['start'],
      workingDir: folder,
      environment: { ...plainEnvironment(), STRATALOG_PORT: '0', STRATALOG_DATA_DIR: dataDir },
      onOutput: () => {
        this.noteSteps();
      },
    });
  }

  /**
   * Resolves with the catalog's address, at most 100 ms after it is printed.
   *
   * **Errors**: rejects with the output when `npm start` ends before, or takes longer than five minutes.
   */
  ready(): Promise<string> {
    return this.printed(READY, LIMIT_MS);
  }

  /** The parts of the time until it was ready. */
  stepSeconds(): Readonly<Record<string, number>> {
    const buildMs = Number(this.find(BUILT)?.[1] ?? 0);
    const installingMs = this.seenMs.get(INSTALLING) ?? this.startedAtMs;
    const builtMs = this.seenMs.get(BUILT) ?? installingMs;
    const readyMs = this.seenMs.get(READY) ?? builtMs;
    return {
      installSeconds: (builtMs - buildMs - installingMs) / 1000,
      buildSeconds: buildMs / 1000,
      startSeconds: (readyMs - builtMs) / 1000,
    };
  }

  private noteSteps(): void {
    for (const step of [INSTALLING, BUILT, READY]) {
      if (!this.seenMs.has(step) && this.find(step) !== null) this.seenMs.set(step, performance.now());
    }
  }
}

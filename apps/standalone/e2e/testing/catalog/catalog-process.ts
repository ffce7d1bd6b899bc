import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CatalogProgram, buildBundles, kill, processesIn, readPostmasterPid } from '@stratalog/harness';
import { CatalogClient } from './catalog-client';

const START_MS = limitMs(60_000);

/** The program of `npm start`, with a client of its own. */
export class CatalogProcess extends CatalogProgram {
  /** `log`: a file descriptor for its log, instead of the buffer here. */
  constructor(settings: Readonly<Record<string, string>>, args: readonly string[] = [], log?: number) {
    super({ settings, args, log });
  }

  override ready(): Promise<string> {
    return super.ready(START_MS);
  }

  async client(): Promise<CatalogClient> {
    return new CatalogClient(Number(new URL(await this.ready()).port));
  }
}

/** A data folder that can list the processes on it. */
export class DataFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'stratalog-process-'));

  get environment(): Readonly<Record<string, string>> {
    return { STRATALOG_DATA_DIR: this.path };
  }

  get serverPidFile(): string {
    return join(this.path, 'postgres/postmaster.pid');
  }

  /** Lists other processes that work in the folder or name it. */
  processes(): readonly number[] {
    return processesIn(this.path);
  }

  serverPid(): number {
    return readPostmasterPid(this.path) ?? 0;
  }

  /** Ends processes that a failed test has left. */
  killProcesses(): void {
    this.processes().forEach(kill);
  }

  /** Ends processes that a failed test has left, and removes the folder. */
  remove(): void {
    this.killProcesses();
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Catalogs of the tests of the calling block, on one data folder; each is killed at the end of its test. */
export interface CatalogProcesses {
  readonly folder: DataFolder;
  readonly start: (
    settings?: Readonly<Record<string, string>>,
    args?: readonly string[],
    log?: number,
  ) => CatalogProcess;
}

export function catalogsForSuite(): CatalogProcesses {
  const folder = new DataFolder();
  const running: CatalogProcess[] = [];
  beforeAll(() => {
    buildBundles('apps/standalone/main');
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((catalog) => catalog.stop('SIGKILL')));
  });
  afterAll(() => {
    folder.remove();
  });
  return {
    folder,
    start: (settings = {}, args = [], log) => {
      const catalog = new CatalogProcess({ ...folder.environment, ...settings }, args, log);
      running.push(catalog);
      return catalog;
    },
  };
}

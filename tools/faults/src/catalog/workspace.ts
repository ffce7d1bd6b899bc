import { mkdtempSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isRunning, kill, processesIn } from '@stratalog/harness';

/** The folder of one run, with all its files. */
export interface Workspace {
  readonly folder: string;
  readonly dataDir: string;
  /** The catalog's standard error, over all its runs. */
  readonly logFile: string;
}

const PREFIX = 'stratalog-faults-';
/** Named for the process that works in it, so that a later run knows whether it still does. */
const FOLDER = /^stratalog-faults-(\d+)-\w+$/;

export function makeWorkspace(): Workspace {
  return workspaceIn(realpathSync(mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))));
}

export function removeWorkspace({ folder }: Workspace): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Moves the folder out of reach of later sweeps; returns its new path. */
export function keepWorkspace({ folder }: Workspace, seed: number): string {
  const kept = join(dirname(folder), `${PREFIX}violation-${seed}-${basename(folder).slice(PREFIX.length)}`);
  renameSync(folder, kept);
  return kept;
}

/** Ends and removes the processes and files of runs that were themselves killed with `kill -9`. */
export function sweepWorkspaces(): void {
  const parent = realpathSync(tmpdir());
  for (const name of readdirSync(parent)) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const workspace = workspaceIn(join(parent, name));
    processesIn(workspace.folder, workspace.dataDir).forEach(kill);
    removeWorkspace(workspace);
  }
}

function workspaceIn(folder: string): Workspace {
  return { folder, dataDir: join(folder, 'data'), logFile: join(folder, 'catalog.log') };
}

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join, sep } from 'node:path';

/** The server that runs on a data folder: its postmaster, and the children of that. */
export interface ServerProcesses {
  readonly postmaster: number;
  readonly children: readonly number[];
}

/**
 * Finds the PostgreSQL server of `dataDir`, which must be a folder of this test, so that only the catalog
 * under test can have started it.
 */
export function serverOf(dataDir: string): ServerProcesses | undefined {
  const clusterDir = join(dataDir, 'postgres');
  const postmaster = pidIn(join(clusterDir, 'postmaster.pid'));
  if (postmaster === undefined || !worksOn(postmaster, clusterDir)) return undefined;
  return { postmaster, children: childrenOf(postmaster) };
}

/** Kills at once, first the process that would restart others. */
export function killServer({ postmaster, children }: ServerProcesses): void {
  for (const pid of [postmaster, ...children]) kill(pid);
}

/**
 * Lists processes that work in `folder` or below: on Linux all of them, also an `initdb` whose parent was
 * killed. Elsewhere the system does not report it, and the list is the server alone.
 */
export function processesIn(folder: string, dataDir: string): readonly number[] {
  if (process.platform !== 'linux') {
    const server = serverOf(dataDir);
    return server === undefined ? [] : [server.postmaster, ...server.children];
  }
  return pidsOfProc().filter((pid) => {
    const dir = workingDir(pid);
    return pid !== process.pid && (dir === folder || dir?.startsWith(folder + sep) === true);
  });
}

export function kill(pid: number): void {
  signal(pid, 'SIGKILL');
}

/** A PostgreSQL server then stops in order, and ends its sessions. */
export function interruptProcess(pid: number): void {
  signal(pid, 'SIGINT');
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function pidIn(file: string): number | undefined {
  try {
    const pid = Math.abs(Number(readFileSync(file, 'utf8').split('\n')[0]));
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function worksOn(pid: number, clusterDir: string): boolean {
  if (process.platform === 'linux') return workingDir(pid) === clusterDir;
  return ps('pid=,command=').some(
    (line) => line.startsWith(`${pid} `) && line.includes(` -D ${clusterDir} `),
  );
}

function childrenOf(parent: number): readonly number[] {
  if (process.platform === 'linux') return pidsOfProc().filter((pid) => parentOf(pid) === parent);
  return ps('pid=,ppid=').flatMap((line) => {
    const [pid, ppid] = line.split(/\s+/).map(Number);
    return pid !== undefined && ppid === parent ? [pid] : [];
  });
}

function ps(columns: string): readonly string[] {
  const text = execFileSync('ps', ['-axww', '-o', columns], { encoding: 'utf8' });
  return text.split('\n').map((line) => line.trim());
}

function pidsOfProc(): readonly number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

function workingDir(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

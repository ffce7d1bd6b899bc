import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join, sep } from 'node:path';

/** One process as the kernel accounts for it. */
export interface ProcessSample {
  readonly pid: number;
  readonly parent: number;
  /** The title, in which PostgreSQL's processes state their role. */
  readonly title: string;
  readonly cpuSeconds: number;
  /** Of children that have ended. */
  readonly endedChildrenCpuSeconds: number;
}

/** The server that runs on a data folder: its postmaster, and the children of that. */
export interface ServerProcesses {
  readonly postmaster: number;
  readonly children: readonly number[];
}

/** The unit of `times` in /proc on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const isLinux = process.platform === 'linux';

/** Lists all processes; none where the system has no /proc. */
export function allProcesses(): readonly ProcessSample[] {
  return isLinux ? pidsOfProc().flatMap((pid) => readProcess(pid) ?? []) : [];
}

/**
 * Finds the PostgreSQL server of `dataDir`, which must be a folder of this test, so that only the catalog
 * under test can have started it.
 */
export function findServer(dataDir: string): ServerProcesses | undefined {
  const clusterDir = join(dataDir, 'postgres');
  const postmaster = readPostmasterPid(dataDir);
  if (postmaster === undefined || !worksOn(postmaster, clusterDir)) return undefined;
  return { postmaster, children: listChildren(postmaster) };
}

/** Reads the pid that the server of a data folder has written; the server may have been killed since. */
export function readPostmasterPid(dataDir: string): number | undefined {
  const file = unlessGone(() => readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'));
  // A server in single-user mode writes its pid negated.
  const pid = Math.abs(Number(file?.split('\n')[0]));
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}

/** Kills at once, first the process that would restart others. */
export function killServer({ postmaster, children }: ServerProcesses): void {
  for (const pid of [postmaster, ...children]) kill(pid);
}

/**
 * Lists other processes that work in `folder` or below, or name it: on Linux all of them, also an `initdb`
 * whose parent was killed. Elsewhere the system does not report it, and the list is the server of `dataDir`.
 */
export function processesIn(folder: string, dataDir = folder): readonly number[] {
  if (!isLinux) {
    const server = findServer(dataDir);
    return server === undefined ? [] : [server.postmaster, ...server.children];
  }
  return pidsOfProc().filter((pid) => {
    const dir = workingDir(pid);
    if (pid === process.pid) return false;
    return dir === folder || dir?.startsWith(folder + sep) === true || readTitle(pid)?.includes(folder);
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

function worksOn(pid: number, clusterDir: string): boolean {
  if (isLinux) return workingDir(pid) === clusterDir;
  return ps('pid=,command=').some(
    (line) => line.startsWith(`${pid} `) && line.includes(` -D ${clusterDir} `),
  );
}

function listChildren(parent: number): readonly number[] {
  if (isLinux) return pidsOfProc().filter((pid) => readProcess(pid)?.parent === parent);
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

function readProcess(pid: number): ProcessSample | undefined {
  const stat = unlessGone(() => readFileSync(`/proc/${String(pid)}/stat`, 'latin1'));
  const title = readTitle(pid);
  if (stat === undefined || title === undefined) return undefined;
  // The program's name stands in parentheses and may hold any character; the following fields are numbered
  // from 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return {
    pid,
    parent: field(4),
    title,
    cpuSeconds: (field(14) + field(15)) / TICKS_PER_SECOND,
    endedChildrenCpuSeconds: (field(16) + field(17)) / TICKS_PER_SECOND,
  };
}

function readTitle(pid: number): string | undefined {
  const title = unlessGone(() => readFileSync(`/proc/${String(pid)}/cmdline`, 'latin1'));
  return title?.replaceAll('\0', ' ').trim();
}

function workingDir(pid: number): string | undefined {
  return unlessGone(() => readlinkSync(`/proc/${pid}/cwd`));
}

/** `undefined` when the process has ended since it was listed, or belongs to another user. */
function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** Identifies other processes. A pid alone does not, because the kernel reuses it. */

const PS_ENV = { PATH: process.env.PATH ?? '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Returns the start of a process, as a word that no later process with the same pid repeats (letters, digits and `-`).
 * `undefined` when the process does not exist any more.
 */
export function processStart(pid: number): string | undefined {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

function startFromProc(pid: number): string | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  if (state === 'Z' || state === 'X' || ticks === undefined) return undefined;
  // Ticks count from boot, so they could repeat after the next one.
  const boot = readProc('/proc/sys/kernel/random/boot_id')?.slice(0, 8) ?? 'boot';
  return `${boot}-${ticks}`;
}

function startFromPs(pid: number): string | undefined {
  const line = ps('lstart=,stat=', pid);
  if (line === undefined || /\sZ\S*$/.test(line)) return undefined;
  const started = Date.parse(`${line.replace(/\s\S+$/, '')} UTC`);
  return Number.isNaN(started) ? undefined : `at-${started}`;
}

/**
 * True when a signal finds the pid. That includes an ended process that its parent has not reaped, which may stay
 * forever when the parent is the first process of a container.
 */
export function isPidTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The command line of a process, and its working folder where the system provides it (Linux). */
export interface ProcessCommand {
  /** One entry per argument on Linux; elsewhere the whole line as one entry. */
  readonly args: readonly string[];
  readonly workingDir: string | undefined;
}

export function processCommand(pid: number): ProcessCommand | undefined {
  if (process.platform !== 'linux') {
    const line = ps('command=', pid);
    return line === undefined ? undefined : { args: [line], workingDir: undefined };
  }
  const line = readProc(`/proc/${pid}/cmdline`);
  if (line === undefined || line === '') return undefined;
  return { args: line.replace(/\0+$/, '').split('\0'), workingDir: readProcLink(`/proc/${pid}/cwd`) };
}

/** Lists the running child processes of a process. */
export function listChildren(parent: number): readonly number[] {
  if (process.platform === 'linux') {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.filter((pid) => parentFromProc(pid) === parent).map(Number);
  }
  const lines = psOutput(['-ax', '-o', 'pid=,ppid='])?.split('\n') ?? [];
  return lines.flatMap((line) => {
    const [pid, own] = line.trim().split(/\s+/).map(Number);
    return pid !== undefined && own === parent ? [pid] : [];
  });
}

function parentFromProc(pid: string): number | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function ps(columns: string, pid: number): string | undefined {
  return psOutput(['-ww', '-o', columns, '-p', String(pid)]);
}

function psOutput(args: readonly string[]): string | undefined {
  try {
    const out = execFileSync('ps', args, {
      env: PS_ENV,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return out.trim() === '' ? undefined : out.trim();
  } catch {
    return undefined;
  }
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch {
    return undefined;
  }
}

function readProcLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

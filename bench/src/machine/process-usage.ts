import { readFileSync } from 'node:fs';
import { allProcesses, type ProcessSample } from '@stratalog/harness';

/** A catalog process with the server that it started. */
export interface CatalogProcesses {
  readonly node: ProcessSample;
  readonly server: ProcessSample | undefined;
  /** The server's own processes: one for each connection, and its background ones. */
  readonly sessions: readonly ProcessSample[];
  readonly machine: MachineSample;
}

/** CPU time of the whole machine since it started. */
export interface MachineSample {
  readonly busySeconds: number;
  /** Time that a hypervisor gave to others although this machine wanted it. */
  readonly stolenSeconds: number;
}

/**
 * CPU by part of the catalog, `node` and `postgres` for instance; `load` is the load generator. Three members
 * are not parts and must not be summed. `busiestConnection` is the connection to PostgreSQL with the most
 * work. `machine` is everything that ran: more than the sum of the parts means a disturbed figure. `stolen`
 * is the time that a hypervisor gave to others.
 *
 * **Units**: cores, that is CPU seconds per second.
 */
export type CpuCores = Readonly<Record<string, number>>;

/**
 * By part of the catalog. **Units**: megabytes (2^20). Memory that several processes share counts once
 * (proportional set size).
 */
export type ResidentMb = Readonly<Record<string, number>> & { readonly total: number };

/** The unit of `times` in /proc on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Lists the current processes below `pid`; `undefined` where the system has no /proc. */
export function catalogProcesses(pid: number): CatalogProcesses | undefined {
  const all = allProcesses();
  const node = all.find((process) => process.pid === pid);
  if (node === undefined) return undefined;
  const server = all.find(({ parent, title }) => parent === pid && /\bpostgres\b/.test(title));
  return {
    node,
    server,
    sessions: all.filter(({ parent }) => parent === server?.pid),
    machine: machineNow(),
  };
}

/** Computes the CPU use between two samples of the same catalog. */
export function cpuCoresBetween(
  before: CatalogProcesses | undefined,
  after: CatalogProcesses | undefined,
  seconds: number,
): CpuCores | undefined {
  if (before === undefined || after === undefined) return undefined;
  const known = new Map(before.sessions.map((session) => [session.pid, session.cpuSeconds]));
  const connections = after.sessions
    .filter(({ title }) => /\d\(\d+\)/.test(title))
    .map(({ pid, cpuSeconds }) => cpuSeconds - (known.get(pid) ?? 0));
  return {
    node: (after.node.cpuSeconds - before.node.cpuSeconds) / seconds,
    postgres: (serverCpuSeconds(after) - serverCpuSeconds(before)) / seconds,
    busiestConnection: Math.max(0, ...connections) / seconds,
    machine: (after.machine.busySeconds - before.machine.busySeconds) / seconds,
    stolen: (after.machine.stolenSeconds - before.machine.stolenSeconds) / seconds,
  };
}

function serverCpuSeconds({ server, sessions }: CatalogProcesses): number {
  const own = (server?.cpuSeconds ?? 0) + (server?.endedChildrenCpuSeconds ?? 0);
  return sessions.reduce((sum, session) => sum + session.cpuSeconds, own);
}

export function residentMbOf(processes: CatalogProcesses | undefined): ResidentMb | undefined {
  if (processes === undefined) return undefined;
  const { node, server, sessions } = processes;
  const servers = server === undefined ? sessions : [server, ...sessions];
  const nodeMb = proportionalMb(node.pid);
  const postgresMb = servers.reduce((sum, { pid }) => sum + proportionalMb(pid), 0);
  return { node: nodeMb, postgres: postgresMb, total: nodeMb + postgresMb };
}

/**
 * The first line of /proc/stat: user, nice, system, idle, waiting for disks, interrupts, soft interrupts,
 * stolen.
 */
export function machineNow(): MachineSample {
  const [user = 0, nice = 0, system = 0, , , hard = 0, soft = 0, stolen = 0] =
    readFileSync('/proc/stat', 'latin1')
      .split('\n', 1)[0]
      ?.split(/\s+/)
      .slice(1)
      .map((ticks) => Number(ticks) / TICKS_PER_SECOND) ?? [];
  return { busySeconds: user + nice + system + hard + soft, stolenSeconds: stolen };
}

export function proportionalMb(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${String(pid)}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024;
  } catch {
    // The process has ended since it was listed.
    return 0;
  }
}

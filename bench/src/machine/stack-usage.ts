import { allProcesses, type ProcessSample } from '@stratalog/harness';
import {
  machineNow,
  proportionalMb,
  type CpuCores,
  type MachineSample,
  type ResidentMb,
} from './process-usage';

/** The processes of a distributed catalog, by part: each app, each server. */
export interface StackProcesses {
  readonly parts: ReadonlyMap<string, readonly ProcessSample[]>;
  readonly machine: MachineSample;
}

const SERVERS: readonly (readonly [part: string, title: RegExp])[] = [
  ['kafka', /\bkafka\.Kafka\b/],
  ['engine', /\bOpenSearchRunner\b|\borg\.(?:opensearch|elasticsearch)\b/],
  ['postgres', /\bpostgres\b/],
];

/** Lists the current apps and servers below `pid`; empty where the system has no /proc. */
export function stackProcesses(pid: number): StackProcesses {
  const parts = new Map<string, ProcessSample[]>();
  const all = allProcesses();
  const parents = new Map(all.map((process) => [process.pid, process.parent]));
  const isBelow = (own: number): boolean => {
    for (let at = own; at > 1; at = parents.get(at) ?? 0) if (at === pid) return true;
    return false;
  };
  for (const process of all) {
    const part = partOf(process.title);
    if (part !== undefined && isBelow(process.pid)) parts.set(part, [...(parts.get(part) ?? []), process]);
  }
  return { parts, machine: machineNow() };
}

function partOf(title: string): string | undefined {
  const app = /\/apps\/(\w+)\/main\.js\b/.exec(title)?.[1];
  return app ?? SERVERS.find(([, pattern]) => pattern.test(title))?.[0];
}

/** Computes the CPU use between two samples of the same catalog. */
export function stackCoresBetween(before: StackProcesses, after: StackProcesses, seconds: number): CpuCores {
  const parts = [...after.parts].map(([part, processes]): [string, number] => [
    part,
    (sumCpuSeconds(processes) - sumCpuSeconds(before.parts.get(part) ?? [])) / seconds,
  ]);
  return {
    ...Object.fromEntries(parts),
    machine: (after.machine.busySeconds - before.machine.busySeconds) / seconds,
    stolen: (after.machine.stolenSeconds - before.machine.stolenSeconds) / seconds,
  };
}

/** A server's ended connections count for the server. */
function sumCpuSeconds(processes: readonly ProcessSample[]): number {
  return processes.reduce((sum, each) => sum + each.cpuSeconds + each.endedChildrenCpuSeconds, 0);
}

export function stackResidentMb({ parts }: StackProcesses): ResidentMb {
  const sizes = [...parts].map(([part, processes]): [string, number] => [
    part,
    processes.reduce((sum, { pid }) => sum + proportionalMb(pid), 0),
  ]);
  return { ...Object.fromEntries(sizes), total: sizes.reduce((sum, [, megabytes]) => sum + megabytes, 0) };
}

import type { CpuCores, ResidentMb } from '../machine/process-usage';
import type { Machine } from '../machine/machine';

/**
 * The result of one case of a bench, before it is judged. Times in milliseconds unless the name says seconds.
 */
export interface Finding {
  readonly case: string;
  /** The parameters of the measurement: counts, shares, requested rates. */
  readonly sizes: Readonly<Record<string, number | string>>;
  readonly seconds: number;
  /** Per second; `sizes.unit` names the unit. */
  readonly rate?: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly p99Ms?: number;
  readonly maxMs?: number;
  readonly residentMb?: ResidentMb;
  readonly cpuCores?: CpuCores;
  readonly floor?: Floor;
  /** For findings that are a quotient of two measurements. */
  readonly ratio?: number;
  readonly goals?: readonly Goal[];
}

/** The reference of the case, measured in the same run. */
export interface Floor {
  readonly what: string;
  readonly rate: number;
}

/** A bound that a finding should keep. */
export interface Goal {
  readonly of:
    | 'rate'
    | 'p50Ms'
    | 'p95Ms'
    | 'p99Ms'
    | 'maxMs'
    | 'cpuMsEach'
    | 'ratioToFloor'
    | 'ratio'
    | 'residentMb'
    | 'seconds';
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface JudgedGoal extends Goal {
  readonly got: number | null;
  readonly met: boolean;
}

/** One line of a bench's output. */
export interface Measurement extends Omit<Finding, 'goals'> {
  readonly bench: string;
  readonly machine: Machine;
  readonly ratioToFloor?: number;
  /**
   * CPU milliseconds that the catalog, its server and the load took together for one unit of the rate. A busy
   * machine changes it less than the rate.
   */
  readonly cpuMsEach?: number;
  readonly goal: readonly JudgedGoal[];
  /** Null where no goal is set. */
  readonly met: boolean | null;
}

/** Compares a finding with its floor and its goals. */
export function judge(bench: string, machine: Machine, finding: Finding): Measurement {
  const { goals = [], ...rest } = finding;
  const ratioToFloor =
    finding.floor === undefined || finding.rate === undefined ? undefined : finding.rate / finding.floor.rate;
  const processor = cpuMsEachOf(finding);
  const got: Record<Goal['of'], number | undefined> = {
    rate: finding.rate,
    p50Ms: finding.p50Ms,
    p95Ms: finding.p95Ms,
    p99Ms: finding.p99Ms,
    maxMs: finding.maxMs,
    cpuMsEach: processor.cpuMsEach,
    ratioToFloor,
    ratio: finding.ratio,
    residentMb: finding.residentMb?.total,
    seconds: finding.seconds,
  };
  const goal = goals.map((wanted) => judgeGoal(wanted, got[wanted.of]));
  return {
    bench,
    ...rest,
    machine,
    ...(ratioToFloor === undefined ? {} : { ratioToFloor }),
    ...processor,
    goal,
    met: goal.length === 0 ? null : goal.every(({ met }) => met),
  };
}

const NO_PARTS: ReadonlySet<string> = new Set(['busiestConnection', 'machine', 'stolen']);

function cpuMsEachOf({ rate = 0, cpuCores }: Finding): Pick<Measurement, 'cpuMsEach'> {
  if (cpuCores === undefined || rate === 0) return {};
  const parts = Object.entries(cpuCores).filter(([name]) => !NO_PARTS.has(name));
  return { cpuMsEach: (parts.reduce((sum, [, cores]) => sum + cores, 0) * 1000) / rate };
}

function judgeGoal(goal: Goal, got: number | undefined): JudgedGoal {
  const { atLeast = -Infinity, atMost = Infinity } = goal;
  return { ...goal, got: got ?? null, met: got !== undefined && got >= atLeast && got <= atMost };
}

/** Formats a measurement as a line of JSON; further digits than three decimals would be noise. */
export function toLine(measurement: Measurement): string {
  return JSON.stringify(measurement, (_, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Math.round(value * 1000) / 1000 : value,
  );
}

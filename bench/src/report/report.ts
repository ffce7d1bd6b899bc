import { describeMachine, load1, type Machine } from '../machine/machine';
import type { ServerProgram } from '../machine/server-program';
import { judge, toLine, type Finding, type Measurement } from './measurement';
import { resultsTable } from './results-table';

/** The state of the machine when a case started. */
export interface StartedCase {
  readonly load1: number;
}

/**
 * Receives a bench's findings: it prints a line of JSON each on standard output, progress and the table on
 * standard error.
 */
export class Report {
  private readonly measurements: Measurement[] = [];
  private readonly startMs = performance.now();
  private machine: Omit<Machine, 'load1'> | undefined;

  constructor(
    private readonly bench: string,
    private readonly folder: string,
  ) {}

  /** Sets the server of the figures; call it before the first finding. */
  runsOn(server: ServerProgram): void {
    this.machine = describeMachine(this.folder, server);
  }

  /** Announces a measurement and records the machine's load. */
  begin(what: string): StartedCase {
    const seconds = ((performance.now() - this.startMs) / 1000).toFixed(0);
    process.stderr.write(`${this.bench} ${seconds.padStart(3)} s: ${what}\n`);
    return { load1: load1() };
  }

  add(started: StartedCase, finding: Finding): void {
    if (this.machine === undefined) throw new Error('The machine has not been described');
    const measurement = judge(this.bench, { ...this.machine, ...started }, finding);
    this.measurements.push(measurement);
    process.stdout.write(`${toLine(measurement)}\n`);
    process.stderr.write(`  ${summarize(measurement)}\n`);
  }

  finish(): void {
    process.stderr.write(`\n${resultsTable(this.measurements)}\n`);
  }
}

function summarize(measurement: Measurement): string {
  const { rate, p50Ms, p95Ms, p99Ms, ratioToFloor, ratio, residentMb, cpuCores, cpuMsEach } = measurement;
  const shown = (name: string, value: number | undefined, digits: number): string =>
    value === undefined ? '' : ` ${name} ${value.toFixed(digits)}`;
  const cores = Object.entries(cpuCores ?? {}).map(([name, value]) => shown(name, value, 2));
  return [
    measurement.case,
    shown('rate', rate, 0),
    shown('p50', p50Ms, 2),
    shown('p95', p95Ms, 2),
    shown('p99', p99Ms, 2),
    shown('of floor', ratioToFloor, 2),
    shown('ratio', ratio, 2),
    shown('MB', residentMb?.total, 0),
    shown('cpu ms each', cpuMsEach, 3),
    cores.length === 0 ? '' : ` | cores${cores.join('')}`,
  ].join('');
}

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until';

/** The unit of the clock on the machine for which the limits of the suites are meant. */
const UNIT_MS = 12;

/** Measures how much processor time one turn of a catalog's event loop takes. */
export class TurnClock {
  private pid = 0;

  /** `file`: the file to which the process writes its measurement. */
  constructor(private readonly file: string) {}

  /** The environment with which the process must start. */
  get environment(): Readonly<Record<'NODE_OPTIONS' | 'TURN_CLOCK_FILE', string>> {
    return {
      NODE_OPTIONS: `--import ${join(import.meta.dirname, 'measure-turns.mjs')}`,
      TURN_CLOCK_FILE: this.file,
    };
  }

  watch(pid: number): void {
    this.pid = pid;
  }

  /**
   * Returns the longest turn since the last call. **Units**: milliseconds of processor time on the reference
   * machine.
   */
  async longest(): Promise<number> {
    rmSync(this.file, { force: true });
    process.kill(this.pid, 'SIGUSR2');
    await until(() => existsSync(this.file));
    const { longestMs, unitMs } = JSON.parse(readFileSync(this.file, 'utf8')) as Record<string, number>;
    return (longestMs ?? 0) / Math.max(1, (unitMs ?? 0) / UNIT_MS);
  }
}

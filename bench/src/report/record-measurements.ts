import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stratalog/harness';
import type { Measurement } from './measurement';

const FOLDER = join(ROOT, 'docs/benchmarks');

/** Figures of a measurement that the data file keeps. */
const FIGURES = ['rate', 'p50Ms', 'p95Ms', 'p99Ms', 'maxMs', 'ratio', 'ratioToFloor', 'cpuMsEach'] as const;

/** The code that was measured, and the day. */
export interface Origin {
  /** As YYYY-MM-DD. */
  readonly date: string;
  readonly commit: string;
}

/**
 * Appends the measurements of a bench's output to `docs/benchmarks/measurements.jsonl`, and draws the plots again.
 * Returns their number.
 *
 * **Errors**: throws when a line is not a measurement; then nothing is appended.
 */
export function recordMeasurements(file: string): number {
  const origin = { date: new Date().toISOString().slice(0, 10), commit: readCommit() };
  const recorded = formatRecords(readFileSync(file, 'utf8'), origin);
  appendFileSync(join(FOLDER, 'measurements.jsonl'), recorded.map((line) => `${line}\n`).join(''));
  execFileSync(process.execPath, [join(FOLDER, 'plot.mjs')]);
  return recorded.length;
}

/** Turns a bench's lines of JSON into the lines of the data file. **Errors**: throws for a line of another form. */
export function formatRecords(output: string, { date, commit }: Origin): readonly string[] {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, at) => {
      const measurement = parseMeasurement(line, at + 1);
      const { bench, sizes } = measurement;
      return JSON.stringify({
        date,
        commit,
        bench,
        case: measurement.case,
        sizes,
        figures: toFigures(measurement),
      });
    });
}

function parseMeasurement(line: string, number: number): Measurement {
  try {
    const value = JSON.parse(line) as Partial<Measurement>;
    if (typeof value.bench === 'string' && typeof value.case === 'string') return value as Measurement;
  } catch {
    // A line of npm, for example.
  }
  throw new Error(`line ${String(number)} is not a measurement: ${line.slice(0, 80)}`);
}

function toFigures(measurement: Measurement): Readonly<Record<string, number>> {
  const figures = FIGURES.flatMap((name) => {
    const value = measurement[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const residentMb = measurement.residentMb?.total;
  return {
    ...Object.fromEntries(figures),
    ...(residentMb === undefined ? {} : { residentMb: Math.round(residentMb) }),
    ...(measurement.seconds === 0 ? {} : { seconds: measurement.seconds }),
  };
}

function readCommit(): string {
  return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
}

import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { toLatencies } from '@stratalog/harness';
import type { ServerProgram } from './server-program';

/** The machine of a measurement; figures of different machines are not compared. */
export interface Machine extends ServerProgram {
  readonly cpu: string;
  readonly cores: number;
  readonly memGb: number;
  readonly node: string;
  /** Median time to make 8 KB durable in the data folder: far below 0.1 ms means that nothing is durable. */
  readonly fsyncMs: number;
  /**
   * Load average of the last minute when the case started: much above the bench's own share means a disturbed
   * figure.
   */
  readonly load1: number;
}

const FSYNCS = 64;

/** Returns everything that stays the same during a run; `folder` is where the databases will lie. */
export function describeMachine(folder: string, server: ServerProgram): Omit<Machine, 'load1'> {
  const [first] = cpus();
  return {
    cpu: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    ...server,
    fsyncMs: medianFsyncMs(folder),
  };
}

export function load1(): number {
  return loadavg()[0] ?? 0;
}

function medianFsyncMs(folder: string): number {
  const path = join(folder, 'fsync-probe');
  const file = openSync(path, 'w');
  const block = Buffer.alloc(8192, 1);
  const samples: number[] = [];
  for (let at = 0; at < FSYNCS; at++) {
    const start = performance.now();
    writeSync(file, block);
    fdatasyncSync(file);
    samples.push(performance.now() - start);
  }
  closeSync(file);
  unlinkSync(path);
  return toLatencies(samples).p50Ms;
}

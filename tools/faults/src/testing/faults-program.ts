import { afterEach, beforeAll, expect } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { processesIn } from '../catalog/left-processes';

const ROOT = join(import.meta.dirname, '../../../..');
const PROGRAM = join(ROOT, 'dist/tools/faults/main.js');
const BUILD = join(ROOT, 'tools/bootstrap/build.mjs');

/** A start, rounds and checks of everything, on a busy machine. */
export const LIMIT_MS = limitMs(300_000);

/** The bundles for an embedded catalog; without names all are built, for the distributed profile. */
export const EMBEDDED = ['tools/faults/main', 'apps/standalone/main'];

/**
 * Builds the named bundles before the tests of the calling suite or block, and ends the programs of its
 * tests.
 *
 * Returns the function with which a test starts `npm run faults`: one program at a time.
 */
export function faultsForSuite(
  bundles: readonly string[] = [],
): (...args: readonly string[]) => FaultsProgram {
  let program: FaultsProgram | undefined;
  beforeAll(() => {
    expect(spawnSync(process.execPath, [BUILD, ...bundles]).status).toBe(0);
  }, LIMIT_MS);
  afterEach(() => program?.end(), LIMIT_MS);
  return (...args) => (program = new FaultsProgram(args));
}

/** `npm run faults`, as a process of its own. */
export class FaultsProgram {
  /** Its standard output. */
  readonly lines: string[] = [];
  /** Its progress messages. */
  readonly said: string[] = [];
  readonly exitCode: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor(args: readonly string[]) {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      // The channel reports the end of this process.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const [stream, lines] of [
      [child.stdout, this.lines],
      [child.stderr, this.said],
    ] as const) {
      if (stream !== null) createInterface(stream).on('line', (line) => lines.push(line));
    }
    this.child = child;
    this.exitCode = once(child, 'close').then(([code]) => code as number | null);
  }

  /**
   * Returns its last line of output, once it has ended well.
   *
   * **Errors**: rejects with its messages when it ended otherwise, and with the processes and files that it
   * left.
   */
  async summary(): Promise<unknown> {
    const exitCode = await this.exitCode;
    if (exitCode !== 0) throw new Error([`it ended with ${String(exitCode)}`, ...this.said].join('\n'));
    const { left } = this;
    if (left.length > 0) throw new Error(`it left ${left.join(', ')}`);
    return JSON.parse(this.lines.at(-1) ?? '{}');
  }

  /** Resolves at its first output. */
  async printing(): Promise<void> {
    await once(this.child.stdout ?? this.child, 'data');
  }

  interrupt(): void {
    this.child.kill('SIGINT');
  }

  /** Harmless when it has ended. */
  async end(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.exitCode;
  }

  /** The folder and processes that still exist. */
  get left(): readonly (string | number)[] {
    const folder = / in (\S+)$/.exec(this.said[0] ?? '')?.[1] ?? 'a folder that was not named';
    const named = existsSync(folder) || !folder.startsWith('/') ? [folder] : [];
    return [...named, ...processesIn(folder, join(folder, 'data'))];
  }
}

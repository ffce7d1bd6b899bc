import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { processesIn } from '../left-processes';

const ROOT = join(import.meta.dirname, '../../../..');
const PROGRAM = join(ROOT, 'dist/tools/faults/main.js');
const BUILD = join(ROOT, 'tools/bootstrap/build.mjs');

/** `npm run faults`, as a process of its own. */
export class FaultsProgram {
  /** What it prints. */
  readonly lines: string[] = [];
  /** What it says on the way. */
  readonly said: string[] = [];
  readonly exitCode: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor(args: readonly string[]) {
    const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    createInterface(child.stdout).on('line', (line) => this.lines.push(line));
    createInterface(child.stderr).on('line', (line) => this.said.push(line));
    this.child = child;
    this.exitCode = once(child, 'close').then(([code]) => code as number | null);
  }

  /** Builds it for an embedded catalog. Answers the status with which the build ended. */
  static build(): number | null {
    return spawnSync(process.execPath, [BUILD, 'tools/faults/main', 'apps/standalone/main']).status;
  }

  /** The same with every bundle, for the distributed profile. */
  static buildAll(): number | null {
    return spawnSync(process.execPath, [BUILD]).status;
  }

  /**
   * What it prints last, once it has ended well.
   *
   * **Errors**: rejects with what it said when it ended otherwise, and with what it left behind.
   */
  async summary(): Promise<unknown> {
    const exitCode = await this.exitCode;
    if (exitCode !== 0) throw new Error([`it ended with ${String(exitCode)}`, ...this.said].join('\n'));
    const { left } = this;
    if (left.length > 0) throw new Error(`it left ${left.join(', ')}`);
    return JSON.parse(this.lines.at(-1) ?? '{}');
  }

  /** Resolves when it has printed for the first time. */
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

  /** Folder and processes that are still there. */
  get left(): readonly (string | number)[] {
    const folder = / in (\S+)$/.exec(this.said[0] ?? '')?.[1] ?? 'a folder that was not named';
    const named = existsSync(folder) || !folder.startsWith('/') ? [folder] : [];
    return [...named, ...processesIn(folder, join(folder, 'data'))];
  }
}

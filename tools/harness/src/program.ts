import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from './until';

/** The folder of the repository, from the sources and from any bundle. */
export const ROOT = findRoot(import.meta.dirname);
/** The part of a program's output that is kept, for an app that logs for hours. */
const KEPT_CHARACTERS = 4_000_000;

function findRoot(folder: string): string {
  if (basename(folder) === 'dist' || existsSync(join(folder, 'nx.json'))) {
    return basename(folder) === 'dist' ? dirname(folder) : folder;
  }
  return findRoot(dirname(folder));
}

/** Builds bundles if their sources are newer; all of them without names. **Errors**: throws when it fails. */
export function buildBundles(...names: readonly string[]): void {
  const args = [join(ROOT, 'tools/bootstrap/build.mjs'), ...names];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

export interface ProgramOptions {
  /** True: the program is a command of the machine, such as `npm`, and may outlive this process. */
  readonly isCommand?: boolean;
  readonly args?: readonly string[];
  /** Without it, the program inherits the environment of this process. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly workingDir?: string | undefined;
  /** Standard input; empty by default. */
  readonly input?: string | Uint8Array;
  /** Called after each piece of output. */
  readonly onOutput?: () => void;
  /** Receives standard error, a descriptor or a function by line; without it, `stderr` keeps it. */
  readonly log?: number | ((line: string) => void) | undefined;
  /** True: in a process group of its own, so that a Ctrl-C in the terminal reaches this process alone. */
  readonly isDetached?: boolean;
}

export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program as a process of its own. A Node program of ours ends when this process does. */
export class Program {
  readonly ended: Promise<ProgramEnd>;
  readonly startedAtMs = performance.now();
  private readonly child: ChildProcess;
  private output = { stdout: '', stderr: '' };
  private endedWith: ProgramEnd | undefined;
  private isAbandoned = false;

  private readonly onOutput: (() => void) | undefined;

  /** `path`: of a Node program, from the root of the repository; or the name of a command. */
  constructor(
    path: string,
    {
      isCommand = false,
      args = [],
      environment,
      workingDir,
      input,
      onOutput,
      log,
      isDetached = false,
    }: ProgramOptions = {},
  ) {
    const [file, ...first] = isCommand ? [path] : [process.execPath, join(ROOT, path)];
    this.child = spawn(file, [...first, ...args], {
      cwd: workingDir,
      env: environment,
      detached: isDetached,
      stdio: [
        input === undefined ? 'ignore' : 'pipe',
        'pipe',
        typeof log === 'number' ? log : 'pipe',
        // The channel reports the end of this process.
        ...(isCommand ? [] : (['ipc'] as const)),
      ],
    });
    this.onOutput = onOutput;
    const { stdin, stdout, stderr } = this.child;
    // A program that needs no input may end before the input is written.
    stdin?.on('error', () => undefined).end(input);
    this.keep('stdout', stdout);
    if (typeof log === 'function' && stderr !== null) createInterface({ input: stderr }).on('line', log);
    else this.keep('stderr', stderr);
    this.ended = this.untilEnded();
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get stdout(): string {
    return this.output.stdout;
  }

  get stderr(): string {
    return this.output.stderr;
  }

  /** `undefined` while it runs. */
  get end(): ProgramEnd | undefined {
    return this.endedWith;
  }

  /** Searches standard output, and then standard error. */
  find(pattern: RegExp): RegExpExecArray | null {
    return pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
  }

  /**
   * Waits until a line of its output matches; returns the first group.
   *
   * **Errors**: rejects with its output when it ends before, or after `limitMs`.
   */
  async printed(pattern: RegExp, limitMs = Infinity): Promise<string> {
    await until(() => this.find(pattern) !== null || this.endedWith !== undefined, { limitMs });
    const found = this.find(pattern);
    if (found !== null) return found[1] ?? found[0];
    const why =
      this.endedWith === undefined ? 'is not ready' : `has ended with ${describeEnd(this.endedWith)}`;
    throw this.failure(why);
  }

  /**
   * Waits until it ends by itself.
   *
   * **Errors**: kills it after `limitMs`, and rejects with its output.
   */
  async finished(limitMs: number): Promise<ProgramEnd> {
    const end = await until(() => this.endedWith, { limitMs });
    if (end !== undefined) return end;
    await this.stop('SIGKILL');
    throw this.failure(`has not ended after ${String(limitMs)} ms`);
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Sends a signal unless it has ended; resolves when it has. */
  stop(name: NodeJS.Signals = 'SIGTERM'): Promise<ProgramEnd> {
    if (this.endedWith === undefined) this.signal(name);
    return this.ended;
  }

  /** Stops reading its output, like a terminal that is closed. */
  hangUp(): void {
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }

  /** Closes the channel, like the end of this process. */
  abandon(): Promise<ProgramEnd> {
    this.isAbandoned = true;
    this.child.disconnect();
    return this.ended;
  }

  private failure(why: string): Error {
    return new Error(`${this.child.spawnargs.join(' ')} ${why}: ${this.stdout}${this.stderr}`);
  }

  private keep(name: 'stdout' | 'stderr', stream: NodeJS.ReadableStream | null): void {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      this.output[name] = (this.output[name] + text).slice(-KEPT_CHARACTERS);
      this.onOutput?.();
    });
  }

  private async untilEnded(): Promise<ProgramEnd> {
    const exited = once(this.child, 'exit');
    const closed = once(this.child, 'close');
    const [code, signal] = (await exited) as [number | null, NodeJS.Signals | null];
    // Node does not report a child as closed whose channel this process has closed.
    if (!this.isAbandoned) await closed;
    return (this.endedWith = { code, signal, ...this.output });
  }
}

/** `exit code 1`, or the name of the signal. */
export function describeEnd({ code, signal }: ProgramEnd): string {
  return signal ?? `exit code ${String(code)}`;
}

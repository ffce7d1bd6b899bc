import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Measurement } from '../report/measurement';

/** `npm run bench` as a process of its own, with a folder for temporary files that shows its leftovers. */
export class BenchProgram {
  stdout = '';
  stderr = '';
  private readonly child: ChildProcess;
  private readonly exited: Promise<number | null>;
  private readonly listeners: (() => void)[] = [];

  constructor(
    readonly temporary: string,
    args: readonly string[],
    environment: NodeJS.ProcessEnv = {},
  ) {
    const env = { ...process.env, TMPDIR: temporary, NODE_OPTIONS: '', ...environment };
    this.child = spawn(process.execPath, [join('tools', 'bootstrap', 'bench.mjs'), ...args], {
      env,
      // The channel reports the end of this process.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      for (const listener of this.listeners) listener();
    });
    this.exited = new Promise((resolve) => this.child.once('exit', resolve));
  }

  exitCode(): Promise<number | null> {
    return this.exited;
  }

  async saying(text: string): Promise<void> {
    const said = new Promise<void>((resolve) => {
      this.listeners.push(() => {
        if (this.stderr.includes(text)) resolve();
      });
    });
    await Promise.race([said, this.exited]);
  }

  terminate(): void {
    this.child.kill('SIGTERM');
  }

  get measurements(): readonly Measurement[] {
    return this.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Measurement);
  }
}

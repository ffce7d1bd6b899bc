import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stratalog/harness';

/** The result of a program. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface PythonOptions {
  /** The program `python` of the environment. */
  readonly python: string;
  /** The folder in which the programs run and their output is kept. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly limitMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs Python programs, one at a time, as forks of one process that has imported the client. Each gets
 * arguments, output and an exit code of its own, and none imports thousands of files again. The process ends
 * with its owner, however that ends.
 */
export class PythonPrograms {
  private server: ChildProcessWithoutNullStreams | undefined;
  private said = '';

  constructor(private readonly options: PythonOptions) {}

  /**
   * Kills a program that exceeds its time limit; there is no `status` when Python itself could not be
   * started.
   */
  async run(program: string, args: readonly string[]): Promise<Ended> {
    const stdout = join(this.options.folder, 'python-stdout.txt');
    const stderr = join(this.options.folder, 'python-stderr.txt');
    for (const file of [stdout, stderr]) closeSync(openSync(file, 'w'));
    try {
      const status = await this.ask({ argv: [program, ...args], stdout, stderr });
      const said = status === null ? this.said : '';
      return { status, stdout: readFileSync(stdout, 'utf8'), stderr: readFileSync(stderr, 'utf8') + said };
    } finally {
      for (const file of [stdout, stderr]) rmSync(file);
    }
  }

  /** Ends the running program. */
  async stop(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.once('close', resolve));
    server.stdin.end();
    await closed;
  }

  private async ask(command: object): Promise<number | null> {
    const server = (this.server ??= this.start());
    const timer = setTimeout(() => void this.stop(), this.options.limitMs);
    const status = await new Promise<number | null>((resolve) => {
      const onClose = (): void => {
        resolve(null);
      };
      server.once('close', onClose);
      // Short enough to arrive in one piece.
      server.stdout.once('data', (line: string) => {
        server.off('close', onClose);
        resolve(Number(line));
      });
      server.stdin.write(`${JSON.stringify(command)}\n`);
    });
    clearTimeout(timer);
    return status;
  }

  private start(): ChildProcessWithoutNullStreams {
    const { python, folder, env, signal } = this.options;
    const server = spawn(python, [join(ROOT, 'tools/clients/python', 'serve_commands.py')], {
      cwd: folder,
      env,
      stdio: 'pipe',
    });
    server.once('close', () => {
      this.server = undefined;
    });
    server.once('error', (error) => (this.said += error.message));
    // The process has ended, which its own event reports.
    server.stdin.on('error', () => undefined);
    server.stdout.setEncoding('utf8');
    server.stderr.setEncoding('utf8').on('data', (text: string) => (this.said += text));
    signal?.addEventListener('abort', () => void this.stop(), { once: true });
    return server;
  }
}

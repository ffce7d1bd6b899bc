import { fork, type ChildProcess } from 'node:child_process';
import type { CommandSet, Reply } from './protocol';

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A process has this long to stop its catalog before it is ended by force. */
const STOP_LIMIT_MS = 45_000;
/** The id of the first reply, which answers no command: the process has started. */
const HELLO = 0;

/** The flags of `npm start`. */
const NODE_FLAGS = ['--max-semi-space-size=64'];

/** One of the bench's own processes: a program of it, started in a role. */
export class Worker<C extends CommandSet<C>> {
  private readonly pending = new Map<number, Pending>();
  private lastId = HELLO;
  private readonly exited: Promise<string>;

  private constructor(
    private readonly role: string,
    private readonly child: ChildProcess,
  ) {
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        resolve(signal ?? `exit code ${String(code)}`);
      });
    });
    void this.exited.then((how) => {
      for (const { reject } of this.pending.values()) reject(new Error(`The ${role} process ended: ${how}`));
      this.pending.clear();
    });
    child.on('message', (message) => {
      this.settle(message as Reply);
    });
  }

  /**
   * Starts `program` in a role. Its standard output goes to stderr, because the bench's own stdout holds the
   * measurements.
   */
  static fork<C extends CommandSet<C>>(program: string, role: string, argument: unknown): Worker<C> {
    const child = fork(program, [role, JSON.stringify(argument), String(process.pid)], {
      execArgv: NODE_FLAGS,
      stdio: ['ignore', 2, 2, 'ipc'],
      serialization: 'advanced',
    });
    return new Worker<C>(role, child);
  }

  /** Resolves when the process accepts commands. */
  async started(): Promise<void> {
    await new Promise((resolve, reject) => this.pending.set(HELLO, { resolve, reject }));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  call<K extends keyof C & string>(
    name: K,
    argument: Parameters<C[K]>[0],
  ): Promise<Awaited<ReturnType<C[K]>>> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve: resolve as Pending['resolve'], reject });
      this.child.send({ id, name, argument }, (error) => {
        if (error === null) return;
        this.pending.delete(id);
        reject(error);
      });
    });
  }

  /** Lets the process stop its work; resolves when it has ended. */
  async stop(): Promise<void> {
    if (this.child.connected) this.child.disconnect();
    const limit = setTimeout(() => this.child.kill('SIGKILL'), STOP_LIMIT_MS);
    await this.exited;
    clearTimeout(limit);
  }

  private settle(reply: Reply): void {
    const waiting = this.pending.get(reply.id);
    this.pending.delete(reply.id);
    if ('fault' in reply) waiting?.reject(new Error(`${this.role}: ${reply.fault}`));
    else waiting?.resolve(reply.result);
  }
}

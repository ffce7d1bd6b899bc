import { rmSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Ask, CommandSet, Reply } from './protocol';

export interface Role<C> {
  readonly commands: C;
  /** Stops whatever the process runs. */
  readonly end: () => Promise<void>;
  /** Removed by this process only when its parent was killed and can no longer do it. */
  readonly dataDir?: string;
}

/**
 * Makes this process the other side of a `Worker`: it answers commands until its parent lets go of it or is gone, then
 * ends and exits. So nothing outlives the bench, however that ends.
 */
export function answerCommands<C extends CommandSet<C>>({ commands, end, dataDir }: Role<C>): void {
  const parent = process.ppid;
  const leave = async (): Promise<void> => {
    try {
      await end();
    } catch (error) {
      process.stderr.write(`${textOf(error)}\n`);
    }
    if (process.ppid !== parent && dataDir !== undefined) removeOrphaned(dataDir);
    process.exit();
  };
  // A Ctrl-C in the terminal reaches every process of the group; the order to end comes from the parent.
  process.on('SIGINT', () => undefined);
  process.once('disconnect', () => void leave());
  process.once('SIGTERM', () => void leave());
  process.on('message', (message) => {
    const { id, name, argument } = message as Ask;
    const command = commands[name as keyof C] as unknown as (argument: unknown) => Promise<unknown>;
    command(argument).then(
      (result) => {
        reply({ id, result });
      },
      (error: unknown) => {
        reply({ id, fault: textOf(error) });
      },
    );
  });
  reply({ id: 0, result: undefined });
}

function reply(answer: Reply): void {
  if (process.connected) process.send?.(answer);
}

function removeOrphaned(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true });
  try {
    rmdirSync(dirname(dataDir));
  } catch {
    // Another process of the run has not removed its own folder yet.
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

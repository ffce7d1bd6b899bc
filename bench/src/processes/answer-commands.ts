import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Ask, CommandSet, Reply } from './protocol';

export interface Role<C> {
  readonly commands: C;
  /** Stops the work of the process. */
  readonly end: () => Promise<void>;
  /** Removed by this process only when its parent was killed and can no longer do it. */
  readonly dataDir?: string;
}

/**
 * Makes this process the other side of a `Worker`: it answers commands until its parent disconnects or ends,
 * then ends and exits. So no process outlives the bench.
 */
export function answerCommands<C extends CommandSet<C>>({ commands, end, dataDir }: Role<C>): void {
  const parent = Number(process.argv[4]);
  const leave = async (): Promise<void> => {
    try {
      await end();
    } catch (error) {
      process.stderr.write(`${toText(error)}\n`);
    }
    if (process.ppid !== parent && dataDir !== undefined) removeOrphaned(dataDir);
    process.exit();
  };
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
        reply({ id, fault: toText(error) });
      },
    );
  });
  // The parent may have disconnected while this process was still starting.
  if (process.connected) reply({ id: 0, result: undefined });
  else void leave();
}

function reply(answer: Reply): void {
  if (process.connected) process.send?.(answer);
}

/**
 * Removes the run's data except those that a server uses; the last process of the run to end removes the
 * rest.
 */
function removeOrphaned(dataDir: string): void {
  const folder = dirname(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (existsSync(join(folder, name, 'postgres', 'postmaster.pid'))) return;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}

function toText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

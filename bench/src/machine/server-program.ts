import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * The version of PostgreSQL, and those of its settings that decide whether a commit survives a power loss.
 */
export interface ServerProgram {
  readonly postgres: string;
  readonly durability: string;
}

const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

/**
 * Reads both from the running server of that pid, so that no figure can come from a server with durability
 * off.
 *
 * **Errors**: an `Error` when one of the settings is not on.
 */
export function serverProgramOf(pid: number | undefined): ServerProgram {
  if (pid === undefined) return { postgres: 'unknown', durability: 'unknown' };
  const args = readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').split('\0');
  const careless = DURABLE.filter((name) => !args.includes(`${name}=on`));
  if (careless.length > 0) {
    throw new Error(`The server runs without ${careless.join(', ')}: nothing that it does would be a result`);
  }
  const program = readlinkSync(`/proc/${String(pid)}/exe`);
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' });
  return {
    postgres: /\d[\w.]*/.exec(version)?.[0] ?? 'unknown',
    durability: DURABLE.map((name) => `${name}=on`).join(' '),
  };
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

export interface PortRange {
  readonly lowest: number;
  readonly highest: number;
}

/**
 * Below the range from which systems take ports for outgoing connections, so that none takes it while a
 * server is down.
 */
const QUIET: PortRange = { lowest: 20_000, highest: 29_999 };
const ATTEMPTS = 100;
const FILE = 'ports.json';

/** Returns a port of the range without a listener at 127.0.0.1. */
export async function freePort({ lowest, highest }: PortRange = QUIET): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1));
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port was found between ${lowest} and ${highest}`);
}

/**
 * Returns the former ports of a folder's server, as far as they are free, so that its address stays; else
 * others.
 */
export async function portsOf(folder: string, count: number, range?: PortRange): Promise<readonly number[]> {
  const file = join(folder, FILE);
  const former = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as number[]) : [];
  const ports: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const kept = former[at];
    ports.push(kept !== undefined && (await isFree(kept)) ? kept : await freePort(range));
  }
  writeFileSync(file, JSON.stringify(ports));
  return ports;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => {
      resolve(false);
    });
    probe.listen(port, '127.0.0.1', () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
}

import { createServer } from 'node:net';

/** Below the range from which systems take ports for outgoing connections, so that none takes it between two runs of the catalog. */
const LOWEST = 20_000;
const HIGHEST = 29_999;
const ATTEMPTS = 50;

/**
 * A port for all runs of the catalog: its clients keep knocking at the same address, as real ones do, so that requests reach it
 * from the first moment at which it listens.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST + 1));
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port was found between ${LOWEST} and ${HIGHEST}`);
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

import { setTimeout as pause } from 'node:timers/promises';
import type { Fleet } from './fleet';
import type { FaultPlan } from './fault-plans';
import type { ServerName, Servers } from './servers';

export interface StrikeDeps {
  readonly fleet: Fleet;
  readonly servers: Servers;
  readonly signal: AbortSignal;
  /** Resolves when a write into each partition was answered and found. */
  readonly passed: () => Promise<unknown>;
  /** Resolves when every call that needs no such server was answered. */
  readonly worksWithout: (server: ServerName) => Promise<void>;
}

const MOST = 3;

/**
 * Applies the fault of a round to the catalog. Resolves when every process has been started again; `done`
 * describes the fault.
 */
export async function strike(deps: StrikeDeps, { fault, downMs, instance }: FaultPlan): Promise<string> {
  const { fleet, signal } = deps;
  switch (fault) {
    case 'kill-ingest':
    case 'kill-writer':
    case 'kill-indexer':
    case 'kill-query':
    case 'kill-graph':
    case 'kill-admin':
    case 'kill-proxy': {
      const app = fault.slice('kill-'.length) as Parameters<Fleet['kill']>[0];
      const count = fleet.count(app);
      const startAgain = await fleet.kill(app, instance);
      await pause(downMs, undefined, { signal });
      await startAgain();
      return `killed one of ${count} for ${downMs} ms`;
    }
    case 'kill-kafka':
    case 'kill-engine':
    case 'kill-postgres': {
      const server = fault.slice('kill-'.length) as ServerName;
      const killedAt = performance.now();
      await deps.servers.kill(server);
      await Promise.all([pause(downMs, undefined, { signal }), deps.worksWithout(server)]);
      const awayMs = Math.round(performance.now() - killedAt);
      await deps.servers.restart(server);
      return `killed for ${awayMs} ms`;
    }
    case 'kill-all': {
      const startAgain = await Promise.all([fleet.killAll(), deps.servers.killAll()]);
      await pause(downMs, undefined, { signal });
      // All at once, as after a power cut: the apps have to wait for the servers.
      await Promise.all(startAgain.map((start) => start()));
      return `killed for ${downMs} ms`;
    }
    case 'pause-writer':
      return pauseWriter(deps, instance);
    case 'scale-writers':
      return scale(fleet, 'writer');
    case 'scale-indexers':
      return scale(fleet, 'indexer');
  }
}

/**
 * Pauses a writer until the others have taken its partitions over: a write into each of them is answered
 * during the pause.
 */
async function pauseWriter({ fleet, passed }: StrikeDeps, instance: number): Promise<string> {
  if (fleet.count('writer') === 1) await fleet.add('writer');
  const startedAt = performance.now();
  const goOn = fleet.pause('writer', instance);
  try {
    await passed();
  } finally {
    goOn();
  }
  return `slept ${Math.round(performance.now() - startedAt)} ms`;
}

async function scale(fleet: Fleet, app: 'writer' | 'indexer'): Promise<string> {
  const before = fleet.count(app);
  if (before > 1) await fleet.reduce(app);
  else await Promise.all(Array.from({ length: MOST - 1 }, () => fleet.add(app)));
  return `from ${before} to ${fleet.count(app)}`;
}

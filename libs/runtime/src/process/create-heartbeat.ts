import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { NamedSubscription } from '@stratalog/ports';
import type { OpenDeps } from '../catalog/catalog-deps';
import type { Health } from '../health/health';
import { Heartbeat } from '../health/heartbeat';
import type { RunOptions } from './run';
import { VERSION } from '../environment/version';

interface RunningProcess {
  readonly open: OpenDeps;
  readonly consumers: readonly NamedSubscription[];
  readonly health: Health;
  /** The address on which it listens. */
  readonly url: string;
}

/** Creates the heartbeat of this process; none where the catalog is one process. */
export function createHeartbeat(
  { app = 'standalone', instance = randomUUID(), stages }: Pick<RunOptions, 'app' | 'instance' | 'stages'>,
  { open, consumers, health, url }: RunningProcess,
): Heartbeat | undefined {
  if (open.instances === undefined) return undefined;
  const host = hostname();
  const own = {
    id: instance,
    app,
    roles: stages.map(({ name }) => name),
    address: reachableAddress(url, host),
    host,
    pid: process.pid,
    version: VERSION,
  };
  return new Heartbeat({
    registry: open.instances,
    consumers,
    describe: () => ({ ...own, status: health.instanceStatus() }),
  });
}

/** A process that listens on every address is reached by the machine's name. */
function reachableAddress(url: string, host: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, `//${host}`);
}

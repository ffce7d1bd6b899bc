import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { PollLoop } from '@stratalog/concurrency';
import { Instance } from './instance';

const LOOK_UP_EVERY_MS = 5_000;

/** Returns the addresses of a host name; rejects when it has none. */
export type LookUp = (name: string) => Promise<readonly string[]>;

/**
 * The running instances of one app, used in turn. Each address of a host name is an instance, and names are looked up again and again, so
 * that instances join and leave while the proxy runs.
 */
export class AppInstances {
  private instances: readonly Instance[] = [];
  private turn = 0;
  private readonly loop = new PollLoop<void>({
    round: () => this.lookUpAll(),
    everyMs: LOOK_UP_EVERY_MS,
  });

  /** `urls` are the addresses of the settings; at least one. */
  constructor(
    private readonly urls: readonly string[],
    private readonly lookUp: LookUp = lookUpName,
  ) {
    if (urls.length === 0) throw new RangeError('An app needs at least one address');
  }

  /** Resolves once the names are looked up for the first time. */
  async start(): Promise<void> {
    await this.lookUpAll();
    if (this.urls.some(hasName)) await this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await Promise.all(this.instances.map((instance) => instance.stop()));
  }

  /** In the order of the settings. */
  all(): readonly Instance[] {
    return this.instances;
  }

  /** Returns the instance for the next request; `undefined` when all are in `tried`. */
  next(tried: ReadonlySet<Instance> = new Set()): Instance | undefined {
    const left = this.instances.filter((instance) => !tried.has(instance));
    const preferred = left.filter((instance) => instance.isPreferred());
    const candidates = preferred.length > 0 ? preferred : left;
    this.turn += 1;
    return candidates[this.turn % candidates.length];
  }

  /** Looks the names up anew: starts what has joined, and stops what has left. */
  async lookUpAll(): Promise<void> {
    const found = (await Promise.all(this.urls.map((url) => this.findInstances(url)))).flat();
    const gone = this.instances.filter((instance) => !found.includes(instance));
    const joined = found.filter((instance) => !this.instances.includes(instance));
    this.instances = found;
    await Promise.all([...joined.map((each) => each.start()), ...gone.map((each) => each.stop())]);
  }

  /** Those of before stay while the name has no address: the server of names may be away. */
  private async findInstances(url: string): Promise<readonly Instance[]> {
    const before = this.instances.filter((instance) => instance.url === url);
    const name = new URL(url).hostname;
    const addresses = hasName(url) ? await this.lookUp(name).catch(() => []) : [name.replace(/^\[|\]$/g, '')];
    if (addresses.length === 0) return before.length > 0 ? before : [new Instance(url, name)];
    return addresses.map(
      (address) => before.find((each) => each.address === address) ?? new Instance(url, address),
    );
  }
}

/** True when the host of an address may stand for several: no address itself, and not this machine. */
function hasName(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname !== 'localhost' && !hostname.startsWith('[') && isIP(hostname) === 0;
}

/** The addresses of version 4 where there are any: a host with both would count twice. */
async function lookUpName(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true });
  const family = found.some((each) => each.family === 4) ? 4 : 6;
  return found.filter((each) => each.family === family).map(({ address }) => address);
}

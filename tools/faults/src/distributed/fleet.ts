import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { appEnvironment, type AppPlace } from '@stratalog/distributed';
import { AppProgram, describeEnd, until } from '@stratalog/harness';
import { freePort } from '@stratalog/local-stack';
import { lastWordsIn } from '../catalog/last-words';
import { Violation } from '../ledger/violation';
import { scaledLimit } from '../scaled-limit';

const APPS = ['ingest', 'writer', 'indexer', 'query', 'graph', 'admin', 'proxy'] as const;
export type App = (typeof APPS)[number];

export interface FleetDeps {
  readonly place: AppPlace;
  /** The folder of the apps and their logs. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Receives the unexpected end of an app. */
  readonly onViolation: (violation: Violation) => void;
}

/** One app that returns to the same address however often it is killed. */
interface Instance {
  readonly app: App;
  readonly name: string;
  readonly port: number;
  readonly logFile: string;
  process: AppProgram;
  /** True when the run itself ends it. */
  isEnding: boolean;
}

const READY_LIMIT_MS = scaledLimit(60_000);
const STOP_LIMIT_MS = scaledLimit(35_000);
const POLL_MS = 25;
/** Each look asks every app, which takes processor time from those that get ready. */
const HEALTH_POLL_MS = 200;
const HEALTH_TIMEOUT_MS = 2_000;

/** The apps of a distributed catalog, each a process of its own. */
export class Fleet {
  private readonly instances: Instance[] = [];
  private readonly counts = new Map<App, number>();

  constructor(private readonly deps: FleetDeps) {}

  /**
   * Starts one of each. The first creates topics and tables for the others; the proxy gets the addresses of
   * the others.
   */
  async startAll(): Promise<void> {
    await this.add('ingest');
    await Promise.all(APPS.filter((app) => app !== 'ingest').map((app) => this.add(app)));
  }

  /** The proxy's port. */
  get port(): number {
    return this.of('proxy')[0]?.port ?? 0;
  }

  count(app: App): number {
    return this.of(app).length;
  }

  /** Starts one more instance of an app; resolves when it is ready. */
  async add(app: App): Promise<void> {
    const number = (this.counts.get(app) ?? 0) + 1;
    this.counts.set(app, number);
    const name = `${app}-${number}`;
    mkdirSync(this.deps.folder, { recursive: true });
    const place = { app, name, port: await freePort(), logFile: join(this.deps.folder, `${name}.log`) };
    const instance: Instance = { ...place, process: await this.launch(place), isEnding: false };
    this.instances.push(instance);
    this.watch(instance);
    await this.ready(instance);
  }

  /**
   * Stops all but one instance in order, one after another. **Errors**: `Violation` when one does not end
   * well.
   */
  async reduce(app: App): Promise<void> {
    for (const instance of this.of(app).slice(1)) await this.stopOne(instance);
  }

  /** `kill -9`; returns a function that starts the very same instance again. */
  kill(app: App, which: number): Promise<() => Promise<void>> {
    return this.killOne(this.pick(app, which));
  }

  /** `kill -9` of every instance of every app; returns a function that starts them again, all at once. */
  async killAll(): Promise<() => Promise<void>> {
    const startAgain = await Promise.all(this.instances.map((instance) => this.killOne(instance)));
    return async () => {
      await Promise.all(startAgain.map((start) => start()));
    };
  }

  /** `SIGSTOP`; returns a function that continues it. */
  pause(app: App, which: number): () => void {
    const { process } = this.pick(app, which);
    process.signal('SIGSTOP');
    return () => {
      process.signal('SIGCONT');
    };
  }

  /** Returns what the first instance of an app tells operators about its stages; empty when it does not answer. */
  async describe(app: App): Promise<string> {
    const url = `http://127.0.0.1:${this.pick(app, 0).port}/operations/health`;
    const headers = { authorization: `Bearer ${this.deps.place.token}` };
    const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS);
    return fetch(url, { headers, signal }).then(
      (answer) => answer.text(),
      () => '',
    );
  }

  /** Waits until each instance reports that all its stages are ready. **Errors**: `Violation`. */
  async healthy(): Promise<void> {
    const look = async (): Promise<true | undefined> => {
      const answers = await Promise.all(this.instances.map(toHealth));
      return answers.every((answer) => answer === 'ready') ? true : undefined;
    };
    const { signal } = this.deps;
    const healthy = await until(look, { limitMs: READY_LIMIT_MS, pollMs: HEALTH_POLL_MS, signal });
    if (healthy !== undefined) return;
    const told = await Promise.all(this.instances.map(async (own) => `${own.name}: ${await toHealth(own)}`));
    throw new Violation('restart', `not healthy within ${READY_LIMIT_MS} ms: ${told.join('; ')}`);
  }

  /**
   * Stops every app in order, those that accept requests first. **Errors**: `Violation` when one does not end
   * well.
   */
  async stopAll(): Promise<void> {
    for (const instance of [...this.instances].reverse()) await this.stopOne(instance);
  }

  /** By force and at once, for good. Harmless when no app is left. */
  end(): void {
    for (const instance of this.instances) {
      instance.isEnding = true;
      instance.process.signal('SIGKILL');
    }
  }

  private of(app: App): readonly Instance[] {
    return this.instances.filter((instance) => instance.app === app);
  }

  private pick(app: App, which: number): Instance {
    const all = this.of(app);
    const picked = all[Math.floor(which * all.length)];
    if (picked === undefined) throw new Error(`There is no ${app} to pick`);
    return picked;
  }

  private async killOne(instance: Instance): Promise<() => Promise<void>> {
    instance.isEnding = true;
    await instance.process.stop('SIGKILL');
    return async () => {
      instance.process = await this.launch(instance);
      instance.isEnding = false;
      this.watch(instance);
      await this.ready(instance);
    };
  }

  private async launch({ app, port, logFile }: Omit<Instance, 'process' | 'isEnding'>): Promise<AppProgram> {
    const settings = {
      STRATALOG_PORT: String(port),
      STRATALOG_LOG_LEVEL: 'warn',
      STRATALOG_DRAIN_SECONDS: '0',
    };
    const urls = app === 'proxy' ? await this.urls() : {};
    const log = openSync(logFile, 'a');
    try {
      const environment = appEnvironment(this.deps.place, { ...settings, ...urls });
      return new AppProgram(app, { environment, log, workingDir: this.deps.folder, isDetached: true });
    } finally {
      closeSync(log);
    }
  }

  private async urls(): Promise<NodeJS.ProcessEnv> {
    const served = ['ingest', 'query', 'graph', 'admin'] as const;
    const look = (): true | undefined => (served.every((app) => this.count(app) > 0) ? true : undefined);
    await until(look, { limitMs: READY_LIMIT_MS, pollMs: POLL_MS, signal: this.deps.signal });
    return Object.fromEntries(
      served.map((app) => [
        `STRATALOG_${app.toUpperCase()}_URLS`,
        this.of(app)
          .map(({ port }) => `http://127.0.0.1:${port}`)
          .join(','),
      ]),
    );
  }

  private watch(instance: Instance): void {
    const { process } = instance;
    void process.ended.then((how) => {
      if (instance.isEnding || instance.process !== process) return;
      const words = lastWordsIn(instance.logFile);
      this.deps.onViolation(
        new Violation('survival', `${instance.name} ended by itself (${describeEnd(how)}): ${words}`),
      );
    });
  }

  private async ready({ name, process, logFile }: Instance): Promise<void> {
    let outcome: string | undefined;
    process.ready().then(
      () => (outcome = 'ready'),
      (error: unknown) => (outcome = String(error)),
    );
    const limits = { limitMs: READY_LIMIT_MS, pollMs: POLL_MS, signal: this.deps.signal };
    const seen = await until(() => outcome, limits);
    if (seen === 'ready') return;
    const why = seen ?? `not ready ${READY_LIMIT_MS} ms after its start`;
    throw new Violation('restart', `${name}: ${why}: ${lastWordsIn(logFile)}`);
  }

  private async stopOne(instance: Instance): Promise<void> {
    instance.isEnding = true;
    this.instances.splice(this.instances.indexOf(instance), 1);
    const { process } = instance;
    process.signal('SIGTERM');
    const { signal } = this.deps;
    const ended = await until(() => process.end, { limitMs: STOP_LIMIT_MS, pollMs: POLL_MS, signal });
    if (ended?.code === 0) return;
    process.signal('SIGKILL');
    const how = ended === undefined ? 'nothing' : describeEnd(ended);
    throw new Violation(
      'stop',
      `told to stop, ${instance.name} ended with ${how}: ${lastWordsIn(instance.logFile)}`,
    );
  }
}

/** `ready`, or another status of the instance. */
async function toHealth({ port }: Instance): Promise<string> {
  try {
    const url = `http://127.0.0.1:${port}/health`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    return answer.ok ? 'ready' : await answer.text();
  } catch (error) {
    return String(error);
  }
}

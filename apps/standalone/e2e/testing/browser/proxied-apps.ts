import { AppProgram, buildBundles, plainEnvironment } from '@stratalog/harness';

const SERVING = ['ingest', 'query', 'graph', 'admin'] as const;
const START_MS = limitMs(180_000);

/** The apps of a distributed catalog that serve calls, each a process, behind their proxy. */
export class ProxiedApps {
  private constructor(
    /** Address of the proxy. */
    readonly url: string,
    private readonly running: readonly AppProgram[],
  ) {}

  /** Starts them with the settings of a catalog whose other apps run already. */
  static async start(settings: Readonly<Record<string, string>>): Promise<ProxiedApps> {
    buildBundles();
    const environment = { ...plainEnvironment(), ...settings, STRATALOG_PORT: '0' };
    const apps = SERVING.map((app) => new AppProgram(app, { environment }));
    const urls = await Promise.all(
      apps.map(
        async (each) => [`STRATALOG_${each.app.toUpperCase()}_URLS`, await each.ready(START_MS)] as const,
      ),
    );
    const proxy = new AppProgram('proxy', { environment: { ...environment, ...Object.fromEntries(urls) } });
    return new ProxiedApps(await proxy.ready(START_MS), [...apps, proxy]);
  }

  async end(): Promise<void> {
    await Promise.all(this.running.map((app) => app.stop('SIGKILL')));
  }
}

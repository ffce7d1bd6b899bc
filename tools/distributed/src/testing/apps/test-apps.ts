import { AppProgram } from '@stratalog/harness';

const START_MS = limitMs(180_000);

/** Apps on one set of servers, of which each test starts those that it needs. */
export class TestApps {
  readonly running: AppProgram[] = [];

  constructor(readonly environment: NodeJS.ProcessEnv) {}

  start(app: string, settings: NodeJS.ProcessEnv = {}): AppProgram {
    const started = new AppProgram(app, {
      environment: {
        STRATALOG_PROFILE: 'distributed',
        STRATALOG_PORT: '0',
        ...this.environment,
        ...settings,
      },
    });
    this.running.push(started);
    return started;
  }

  /** Starts a proxy in front of ready apps. */
  async startProxy(ingest: readonly string[], query: string): Promise<string> {
    const others = { STRATALOG_GRAPH_URLS: query, STRATALOG_ADMIN_URLS: query };
    const urls = { STRATALOG_INGEST_URLS: ingest.join(','), STRATALOG_QUERY_URLS: query, ...others };
    return this.start('proxy', urls).ready(START_MS);
  }

  async end(): Promise<void> {
    await Promise.all(this.running.splice(0).map((app) => app.stop('SIGKILL')));
  }
}

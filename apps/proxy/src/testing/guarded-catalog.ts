import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { docsStage } from '@stratalog/api-docs';
import { ROUTE_LIST } from '@stratalog/api-docs/route-list';
import { mcpStage } from '@stratalog/mcp';
import {
  createLogger,
  createScratchDatabase,
  parseSettings,
  run,
  type RunningCatalog,
  type ScratchDatabase,
} from '@stratalog/runtime';
import { adminStage } from '@stratalog/stages-admin';
import { graphStage } from '@stratalog/stages-graph';
import { indexerStage } from '@stratalog/stages-indexer';
import { ingestStage } from '@stratalog/stages-ingest';
import { queryStage } from '@stratalog/stages-query';
import { writerStage } from '@stratalog/stages-writer';
import { startProxy, type RunningProxy } from '../start-proxy';
import { GuardedClient, OPERATOR } from './guarded-client';

const MODELS = fileURLToPath(new URL('../../../../models', import.meta.url));
const STAGES = [
  ingestStage,
  queryStage,
  writerStage,
  indexerStage,
  graphStage,
  adminStage,
  mcpStage,
  docsStage,
];

/** A catalog in this process where every call needs a token, with a proxy in front. */
export class GuardedCatalog extends GuardedClient {
  private constructor(
    private readonly database: ScratchDatabase,
    private readonly dataDir: string,
    private readonly catalog: RunningCatalog,
    private readonly proxy: RunningProxy,
  ) {
    super(catalog.url);
  }

  static async start(): Promise<GuardedCatalog> {
    const database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    const dataDir = mkdtempSync(join(tmpdir(), `stratalog-test-${String(process.pid)}-tokens-`));
    const settings = parseSettings({
      STRATALOG_PORT: '0',
      STRATALOG_DATA_DIR: dataDir,
      STRATALOG_LOG_LEVEL: 'silent',
      STRATALOG_AUTH: 'all',
      STRATALOG_TOKEN: OPERATOR,
      STRATALOG_COMMIT_TIMEOUT_MS: String(limitMs(60_000)),
      DATABASE_URL: database.url,
    });
    const logger = createLogger(settings);
    const catalog = await run({
      settings,
      logger,
      stages: STAGES,
      routes: ROUTE_LIST,
      modelFolders: [MODELS],
    });
    await catalog.ready;
    const at = [catalog.url];
    const apps = { ingest: at, query: at, graph: at, admin: at };
    const proxy = await startProxy({ host: '127.0.0.1', port: 0, vendor: 'linkedin', apps });
    return new GuardedCatalog(database, dataDir, catalog, proxy);
  }

  get proxyUrl(): string {
    return this.proxy.url;
  }

  async stop(): Promise<void> {
    await this.proxy.stop();
    await this.catalog.stop();
    await this.database.drop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

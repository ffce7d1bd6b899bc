import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROUTE_LIST } from '@stratalog/api-docs/route-list';
import {
  createLogger,
  createScratchDatabase,
  operatorToken,
  parseSettings,
  run,
  type CatalogDeps,
  type CatalogStage,
  type RunningCatalog,
  type ScratchDatabase,
  type ScratchSession,
} from '@stratalog/runtime';
import { MODELS, STAGES } from '../../../src/stages';
import { CatalogClient } from './catalog-client';
import type { Answer } from './raw-http';

/** Long time limits, so that a busy machine causes no 503. */
const PATIENT = {
  STRATALOG_COMMIT_TIMEOUT_MS: String(limitMs(60_000)),
  STRATALOG_POSITION_TIMEOUT_MS: String(limitMs(60_000)),
};

export interface BootOptions {
  /** Settings, as in the environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Replaces all stages. */
  readonly stages?: readonly CatalogStage[];
  /** False: does not wait until every stage is ready. */
  readonly untilReady?: boolean;
}

/** A catalog that runs in this process and is called over HTTP. */
export interface ServedCatalog {
  readonly url: string;
  readonly http: CatalogClient;
  readonly deps: CatalogDeps;
  readonly routes: RunningCatalog['routes'];
  /** Asks for the health with its reasons, which only the operator sees. */
  health(): Promise<Answer>;
}

/** A catalog that its owner starts and stops. */
export interface BootedCatalog extends ServedCatalog {
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/** A database and a data folder on which catalogs run, one after another. */
export class Site {
  private readonly running = new Set<BootedCatalog>();

  private constructor(
    readonly databaseUrl: string,
    readonly dataDir: string,
    private readonly database: ScratchDatabase,
  ) {}

  static async create(): Promise<Site> {
    const database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    return new Site(database.url, mkdtempSync(join(tmpdir(), 'stratalog-site-')), database);
  }

  /** Starts a catalog on a free port; the site stops it at the latest. */
  async boot({
    environment = {},
    stages = STAGES,
    untilReady = true,
  }: BootOptions = {}): Promise<BootedCatalog> {
    const settings = parseSettings({
      STRATALOG_PORT: '0',
      STRATALOG_DATA_DIR: this.dataDir,
      STRATALOG_LOG_LEVEL: 'error',
      DATABASE_URL: this.databaseUrl,
      ...PATIENT,
      ...environment,
    });
    const logger = createLogger(settings);
    const catalog = await run({ settings, logger, stages, routes: ROUTE_LIST, modelFolders: [MODELS] });
    const { url, deps, routes, ready } = catalog;
    const http = new CatalogClient(Number(new URL(url).port));
    const token = settings.token ?? operatorToken(settings.dataDir);
    const booted: BootedCatalog = {
      url,
      deps,
      routes,
      ready,
      http,
      health: () => http.get('/operations/health', { authorization: `Bearer ${token}` }),
      stop: async () => {
        this.running.delete(booted);
        await catalog.stop();
      },
    };
    this.running.add(booted);
    if (untilReady) await ready;
    return booted;
  }

  /** Opens a session on the database, separate from those of the catalog. */
  session(): Promise<ScratchSession> {
    return this.database.session();
  }

  /** Runs a statement in the database, without the catalog's knowledge. */
  async execute(statement: string): Promise<void> {
    const session = await this.session();
    await session.query(statement);
    await session.end();
  }

  /** Drops the database while others use it. */
  dropDatabase(): Promise<void> {
    return this.database.drop();
  }

  async remove(): Promise<void> {
    for (const booted of this.running) await booted.stop();
    await this.database.drop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

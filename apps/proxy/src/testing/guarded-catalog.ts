import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API_ROUTES, docsStage } from '@stratalog/api-docs';
import type { JsonObject, JsonOutputObject } from '@stratalog/model';
import {
  createLogger,
  createScratchDatabase,
  parseSettings,
  run,
  type CatalogDeps,
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

export const OPERATOR = 'the-token-of-the-operator';
const MODELS = fileURLToPath(new URL('../../../../models', import.meta.url));
const STAGES = [ingestStage, queryStage, writerStage, indexerStage, graphStage, adminStage, docsStage];

export interface Answered {
  readonly status: number;
  readonly json: JsonObject;
}

/** A token as an answer shows it; `token` only when it has a new secret. */
export interface MadeToken {
  readonly id: string;
  readonly token: string;
}

/** A catalog in this process where every call needs a token, with a proxy in front. */
export class GuardedCatalog {
  private constructor(
    private readonly database: ScratchDatabase,
    private readonly dataDir: string,
    private readonly catalog: RunningCatalog,
    private readonly proxy: RunningProxy,
  ) {}

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
      routes: API_ROUTES,
      modelFolders: [MODELS],
    });
    await catalog.ready;
    const at = [catalog.url];
    const apps = { ingest: at, query: at, graph: at, admin: at };
    const proxy = await startProxy({ host: '127.0.0.1', port: 0, vendor: 'linkedin', apps });
    return new GuardedCatalog(database, dataDir, catalog, proxy);
  }

  get url(): string {
    return this.catalog.url;
  }

  get proxyUrl(): string {
    return this.proxy.url;
  }

  get parts(): CatalogDeps {
    return this.catalog.parts;
  }

  async send(target: string, token: string | undefined, init: RequestInit = {}): Promise<Answered> {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { ...authorization, ...(init.headers as Record<string, string> | undefined) };
    const answer = await fetch(new URL(target, this.url), { ...init, headers });
    const text = await answer.text();
    return { status: answer.status, json: (text === '' ? {} : JSON.parse(text)) as JsonObject };
  }

  post(target: string, token: string | undefined, body: JsonOutputObject, headers = {}): Promise<Answered> {
    return this.send(target, token, { method: 'POST', body: JSON.stringify(body), headers });
  }

  /** Calls an action on a token as the operator. **Errors**: rejects when the catalog rejects. */
  async administer(action: string, body: JsonOutputObject): Promise<MadeToken> {
    const { status, json } = await this.post(`/operations?action=${action}`, OPERATOR, body);
    if (status !== 200) throw new Error(`${action}: ${String(status)} ${JSON.stringify(json)}`);
    return json.value as unknown as MadeToken;
  }

  makeToken(members: JsonOutputObject): Promise<MadeToken> {
    return this.administer('createToken', { name: 'a token', ...members });
  }

  async stop(): Promise<void> {
    await this.proxy.stop();
    await this.catalog.stop();
    await this.database.drop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

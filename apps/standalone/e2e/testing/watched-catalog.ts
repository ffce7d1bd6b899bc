import { join } from 'node:path';
import { buildBundles } from '@stratalog/harness';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { SteadyLoad, TurnClock, until } from '@stratalog/testkit';
import { toBody, type CatalogClient } from './catalog/catalog-client';
import { CatalogProcess, DataFolder } from './catalog/catalog-process';
import type { Answer, RawRequest } from './catalog/raw-http';
import { post } from './catalog/wire-case';

const READ = 'urn:li:tag:read';

/** The effect of a request on concurrent ones. */
export interface Effect {
  readonly answer: Answer;
  /** The longest turn of the event loop in processor time on the reference machine. */
  readonly turnMs: number;
  /** The 99th percentile of concurrent reads, less three times their value during small requests. */
  readonly p99Ms: number;
}

/** A catalog under a steady load of 200 reads a second that measures the turns of its event loop. */
export class WatchedCatalog {
  private constructor(
    readonly http: CatalogClient,
    private readonly deps: {
      readonly catalog: CatalogProcess;
      readonly database: ScratchDatabase;
      readonly folder: DataFolder;
      readonly clock: TurnClock;
    },
    private readonly quietMs: number,
  ) {}

  static async start(): Promise<WatchedCatalog> {
    buildBundles('apps/standalone/main');
    const folder = new DataFolder();
    const clock = new TurnClock(join(folder.path, 'turns.json'));
    const database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    const catalog = new CatalogProcess({
      ...folder.environment,
      DATABASE_URL: database.url,
      STRATALOG_COMMIT_TIMEOUT_MS: '60000',
      ...clock.environment,
    });
    const http = await catalog.client();
    clock.watch(catalog.pid);
    await http.write(READ, 'tagProperties', { name: 'read' });
    const reads = loadOn(http);
    for (let at = 0; at < 50; at++) await http.search(`quiet ${String(at)}`);
    const { p99Ms } = await reads.stop();
    return new WatchedCatalog(http, { catalog, database, folder, clock }, p99Ms);
  }

  /** Sends a request during the reads, and waits until search index and graph include its writes. */
  async effectOf(request: RawRequest): Promise<Effect> {
    await this.caughtUp();
    await this.deps.clock.longest();
    const reads = loadOn(this.http);
    const answer = await this.http.send(request);
    await this.caughtUp();
    const { p99Ms } = await reads.stop();
    return { answer, turnMs: await this.deps.clock.longest(), p99Ms: p99Ms - 3 * this.quietMs };
  }

  async end(): Promise<void> {
    const { catalog, database, folder } = this.deps;
    await catalog.stop('SIGTERM');
    await database.drop();
    folder.remove();
  }

  private async caughtUp(): Promise<void> {
    await this.http.caughtUp();
    const target = `/relationships?direction=OUTGOING&urn=${encodeURIComponent(READ)}&types=TaggedWith`;
    await until(async () => (await this.http.get(target)).headers['x-stratalog-lag'] === '0');
  }
}

function loadOn({ port }: CatalogClient): SteadyLoad {
  return new SteadyLoad(port, `/entitiesV2/${encodeURIComponent(READ)}`);
}

export const many = <T>(count: number, of: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => of(at));

export const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;

/** A proposal for one aspect of a dataset, its value as text or as JSON. */
export const ingest = (
  urn: string,
  aspectName: string,
  value: JsonOutputObject | string,
  members: JsonOutputObject = {},
): RawRequest => post('/aspects?action=ingestProposal', toBody({ urn, aspectName, value, members }));

export const patch = (urn: string, aspectName: string, operations: readonly JsonOutputObject[]): RawRequest =>
  ingest(urn, aspectName, stringifyJson(operations), { changeType: 'PATCH' });

import { join } from 'node:path';
import { stringifyJson, type JsonOutputObject } from '@stratalog/model';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { SteadyLoad, TurnClock, until } from '@stratalog/testkit';
import { toBody, type CatalogClient } from './catalog/catalog-client';
import { CatalogProcess, DataFolder, buildProgram } from './catalog/catalog-process';
import type { Answer, RawRequest } from './catalog/raw-http';
import { post } from './catalog/wire-case';

const READ = 'urn:li:tag:read';

/** What a request did to all others. */
export interface Effect {
  readonly answer: Answer;
  /** The longest turn of the event loop in processor time, as the reference machine would take. */
  readonly turnMs: number;
  /** What 99 of 100 reads beside it took at most, less three times what they take beside small requests. */
  readonly p99Ms: number;
}

/** A catalog whose turns of the event loop are measured, and 200 reads a second beside whatever is sent to it. */
export class WatchedCatalog {
  private constructor(
    readonly http: CatalogClient,
    private readonly parts: {
      readonly catalog: CatalogProcess;
      readonly database: ScratchDatabase;
      readonly folder: DataFolder;
      readonly clock: TurnClock;
    },
    private readonly quietMs: number,
  ) {}

  static async start(): Promise<WatchedCatalog> {
    buildProgram();
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

  /** Sends a request beside the reads, and waits until search index and graph have what it wrote. */
  async effectOf(request: RawRequest): Promise<Effect> {
    await this.caughtUp();
    await this.parts.clock.longest();
    const reads = loadOn(this.http);
    const answer = await this.http.send(request);
    await this.caughtUp();
    const { p99Ms } = await reads.stop();
    return { answer, turnMs: await this.parts.clock.longest(), p99Ms: p99Ms - 3 * this.quietMs };
  }

  async end(): Promise<void> {
    const { catalog, database, folder } = this.parts;
    await catalog.end('SIGTERM');
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

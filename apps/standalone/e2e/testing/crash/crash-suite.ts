import { SeededRandom } from '@stratalog/harness';
import { stringifyJson, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { at, type CatalogClient } from '../catalog/catalog-client';
import { catalogsForSuite, type CatalogProcess } from '../catalog/catalog-process';
import { scratchForSuite } from '../catalog/scratch-for-suite';

const TOKEN = 'a-token-of-this-suite';
const WITH_TOKEN = { authorization: `Bearer ${TOKEN}` };
/** `CRASH_MOMENTS=20 npm test -- task-crash rebuild-crash` chooses more; each moment takes some seconds. */
const MOMENTS = Number(process.env.CRASH_MOMENTS ?? 2);
const SEED = Number(process.env.CRASH_SEED ?? 2026);
const ENDED = ['completed', 'failed', 'cancelled'];

/** Catalogs on one scratch database, which the tests of the calling block kill and start again. */
export interface CrashSuite {
  /** Number of moments at which a test kills the catalog. */
  readonly moments: number;
  readonly random: SeededRandom;
  /** The client of the running catalog. */
  readonly http: () => CatalogClient;
  start(): Promise<void>;
  /** Stops the catalog in order. */
  stop(): Promise<void>;
  /** `kill -9`, and everything that `before` checks while no catalog runs, before the next start. */
  kill(before?: () => Promise<void>): Promise<void>;
  /** Returns the first column of the first row. */
  query(text: string): Promise<unknown>;
  /** Runs statements on the session that {@link query} uses, transactions included. */
  run(text: string): Promise<void>;
  /** Calls an action of operators, by default one of `/operations`; returns its value. */
  operate(action: string, parameters: JsonOutputObject, resource?: string): Promise<JsonValue | undefined>;
  readTask(task: string): Promise<JsonValue>;
  /** Returns the newest task of a kind; null when there is none. */
  readNewest(kind: string): Promise<JsonValue>;
  /** True when a task has ended. */
  hasEnded(task: string): Promise<boolean>;
}

export function crashSuite(): CrashSuite {
  const catalogs = catalogsForSuite();
  const scratch = scratchForSuite();
  let catalog: CatalogProcess;
  let client: CatalogClient;

  const start = async (): Promise<void> => {
    catalog = catalogs.start({
      DATABASE_URL: scratch.url(),
      STRATALOG_TOKEN: TOKEN,
      STRATALOG_LOG_LEVEL: 'silent',
    });
    client = await catalog.client();
  };
  const query = async (text: string): Promise<unknown> =>
    Object.values((await scratch.query(text))[0] ?? {})[0];
  const readTask = async (task: string): Promise<JsonValue> =>
    (await client.get(`/operations/tasks/${task}`, WITH_TOKEN)).json;
  return {
    moments: MOMENTS,
    random: new SeededRandom(SEED),
    http: () => client,
    start,
    stop: async () => {
      await catalog.stop('SIGTERM');
    },
    kill: async (before) => {
      await catalog.stop('SIGKILL');
      await before?.();
      // As if the lease of the killed process had run out meanwhile.
      await query("update task set lease_until = '-infinity' where lease_until is not null");
      await start();
    },
    query,
    run: async (text) => {
      await scratch.query(text);
    },
    operate: async (action, parameters, resource = 'operations') => {
      const body = stringifyJson(parameters);
      const answer = await client.post(`/${resource}?action=${action}`, body, WITH_TOKEN);
      return at(answer.json, 'value');
    },
    readTask,
    readNewest: async (kind) => {
      const { json } = await client.get(`/operations/tasks?kind=${kind}&count=1`, WITH_TOKEN);
      return (at(json, 'tasks') as JsonValue[])[0] ?? null;
    },
    hasEnded: async (task) => ENDED.includes(at(await readTask(task), 'state') as string),
  };
}

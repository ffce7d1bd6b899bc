import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';

const PROGRAM = join(import.meta.dirname, '../../bootstrap/start-distributed.mjs');
const START_MS = 120_000;
const URN = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)';

/** The command as a user gives it, on the servers of the test run. */
class Command {
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;
  private stdout = '';
  private stderr = '';
  private isOver = false;

  constructor(environment: NodeJS.ProcessEnv, args: readonly string[]) {
    this.child = spawn(process.execPath, [PROGRAM, '--port', '0', ...args], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = once(this.child, 'close').then(([code]) => {
      this.isOver = true;
      return code as number | null;
    });
  }

  async ready(): Promise<string> {
    await until(() => this.isOver || this.stdout.includes('ready'), START_MS);
    const url = /^stratalog ready (\S+)$/m.exec(this.stdout)?.[1];
    if (url === undefined) throw new Error(`ended before it was ready: ${this.stderr}`);
    return url;
  }

  /** How many instances of an app said that they are ready. */
  count(app: string): number {
    return this.stderr.split(`stratalog: ${app} ready `).length - 1;
  }

  end(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.isOver) this.child.kill(signal);
    return this.ended;
  }
}

describe('npm run start:distributed', () => {
  let database: ScratchDatabase;
  let command: Command | undefined;

  beforeEach(async () => {
    database = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
  });
  afterEach(async () => {
    await command?.end('SIGKILL');
    await database.drop();
  });

  const environmentOf = (): NodeJS.ProcessEnv => {
    const own = Object.entries(process.env).filter(([name]) => !/^(STRATALOG_|NODE_OPTIONS)/.test(name));
    const name = `t${randomBytes(4).toString('hex')}`;
    return {
      ...Object.fromEntries(own),
      DATABASE_URL: database.url,
      KAFKA_BROKERS: process.env.STRATALOG_TEST_KAFKA_BROKERS,
      ELASTICSEARCH_URL: process.env.STRATALOG_TEST_ELASTICSEARCH_URL,
      KAFKA_TOPIC_PREFIX: `${name}.`,
      STRATALOG_INDEX_PREFIX: name,
      STRATALOG_PARTITIONS: '4',
    };
  };

  it(
    'serves writes, reads and searches through the proxy, at the scale that is asked for, and stops in order',
    async () => {
      command = new Command(environmentOf(), ['--writers', '2', '--indexers', '2']);
      const url = await command.ready();
      expect([command.count('writer'), command.count('indexer'), command.count('query')]).toEqual([2, 2, 1]);

      const aspect = { value: '{"description":"Orders of the shop"}', contentType: 'application/json' };
      const written = await fetch(`${url}/aspects?action=ingestProposal`, {
        method: 'POST',
        body: JSON.stringify({
          proposal: {
            entityType: 'dataset',
            entityUrn: URN,
            changeType: 'UPSERT',
            aspectName: 'datasetProperties',
            aspect,
          },
        }),
      });
      expect([written.status, await written.json()]).toEqual([200, { value: URN }]);
      const read = await fetch(`${url}/entitiesV2/${encodeURIComponent(URN)}`);
      expect(await read.json()).toMatchObject({
        aspects: { datasetProperties: { value: { description: 'Orders of the shop' } } },
      });
      const found = await fetch(`${url}/gms/entities?action=search`, {
        method: 'POST',
        headers: { 'x-stratalog-wait-for': written.headers.get('x-stratalog-position') ?? '' },
        body: '{"input":"shop","entity":"dataset","start":0,"count":10}',
      });
      expect(await found.json()).toMatchObject({ value: { numEntities: 1, entities: [URN] } });
      expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ready' });

      const refused = await fetch(`${url}/aspects?action=ingestProposal`, {
        method: 'POST',
        body: '{"proposal":{"entityType":"dataset","entityUrn":"urn:li:dataset:x","changeType":"UPSERT"}}',
      });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(refused.status).toBeLessThan(500);
      expect(await command.end('SIGTERM')).toBe(0);
    },
    2 * START_MS,
  );

  it('says what is wrong with its arguments', async () => {
    command = new Command(environmentOf(), ['--writers', 'x']);
    expect(await command.ended).toBe(2);
  });
});

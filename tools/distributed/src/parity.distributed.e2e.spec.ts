import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, START_MS, plainEnvironment } from './testing/command';
import { CHANGES, SEARCHES, randomPhases, type Operation } from './testing/random-operations';
import { onTestServers } from './testing/test-servers';

const OPERATIONS = 1_020;
const SEED = 20_261_121;

/**
 * What an answer says, without what two catalogs do not have in common: the time of a commit, and scores, with the order of
 * entities that they make.
 */
interface Said {
  readonly status: number;
  readonly type: string | null;
  readonly body: unknown;
}

async function ask(url: string, { method, target, body }: Operation): Promise<Said> {
  const answer = await fetch(url + target, { method, ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  const isOrdered = target.includes('scrollAcrossEntities') || body?.includes('"sort"') === true;
  const inOrder = isOrdered ? (read: unknown): unknown => read : byUrn;
  const type = answer.headers.get('content-type');
  return {
    status: answer.status,
    type,
    body: type?.includes('json') === true ? comparable(inOrder(JSON.parse(text))) : text,
  };
}

interface SearchBody {
  readonly value: {
    readonly entities: readonly string[];
    readonly numEntities: number;
    readonly metadata: Readonly<Record<string, unknown>>;
  };
}

function isSearchBody(body: unknown): body is SearchBody {
  const { value } = (body ?? {}) as { readonly value?: unknown };
  return typeof value === 'object' && value !== null && 'entities' in value && 'metadata' in value;
}

/** How many edges an answer of relationships tells of. */
function totalOf(body: unknown): number {
  const { total } = (body ?? {}) as { readonly total?: unknown };
  return typeof total === 'number' ? total : 0;
}

/** A search's entities, and what its metadata say of each, by urn; of a page only how many there are. */
function byUrn(body: unknown): unknown {
  if (!isSearchBody(body)) return body;
  const { entities, numEntities, metadata } = body.value;
  const isWhole = entities.length === numEntities;
  const order = entities
    .map((_, at) => at)
    .sort((a, b) => (entities[a] ?? '').localeCompare(entities[b] ?? ''));
  const sorted = (list: readonly unknown[]): unknown => (isWhole ? order.map((at) => list[at]) : list.length);
  const ofEntities = Object.entries(metadata).map(([name, inner]): [string, unknown] => [
    name,
    Array.isArray(inner) && PER_ENTITY.has(name) ? sorted(inner) : inner,
  ]);
  return {
    ...body,
    value: { ...body.value, entities: sorted(entities), metadata: Object.fromEntries(ofEntities) },
  };
}

/** Lists of the metadata that have a place for each entity. */
const PER_ENTITY: ReadonlySet<string> = new Set(['urns', 'matches']);

/** Members that hold the catalog's own stamps. */
const OWN_STAMPS: ReadonlySet<string> = new Set(['created', 'aspectCreated', 'aspectModified']);

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) {
    if (!isOfRuns(value)) return value.map(comparable);
    return value.length < NAMED_OF_RUN ? inFixedOrder(value).map(comparable) : value.length;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]: [string, unknown]): [string, unknown][] => {
      if (name === 'score') return [];
      if (name === 'timestamp' && 'runId' in value) return [[name, typeof inner]];
      // It says how long it is good.
      if (name === 'scrollId') return [[name, typeof inner]];
      if (OWN_STAMPS.has(name)) return [[name, withoutTime(inner)]];
      return [[name, comparable(inner)]];
    }),
  );
}

/** An answer may name so many and no more; which these are depends on times. */
const NAMED_OF_RUN = 100;

/** Runs, or what one has written: in the order of their times, which several may share. */
function isOfRuns(list: readonly unknown[]): boolean {
  return list.every((each) => typeof each === 'object' && each !== null && 'runId' in each);
}

function inFixedOrder(list: readonly unknown[]): readonly unknown[] {
  const key = (each: unknown): string => JSON.stringify({ ...(each as object), timestamp: 0 });
  return [...list].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The catalog's own stamp of a version; stamps within values were sent, and are compared. */
function withoutTime(stamp: unknown): unknown {
  return typeof stamp === 'object' && stamp !== null && 'actor' in stamp && 'time' in stamp
    ? { ...stamp, time: typeof stamp.time }
    : comparable(stamp);
}

async function caughtUp(url: string): Promise<void> {
  const hop = 'relationships?urn=urn:li:tag:x&direction=INCOMING&types=TaggedWith';
  const look = { input: '*', entity: 'dataset', start: 0, count: 0 };
  await until(async () => {
    const answer = await fetch(`${url}/entities?action=search`, {
      method: 'POST',
      body: JSON.stringify(look),
    });
    await answer.arrayBuffer();
    const graph = await fetch(`${url}/${hop}`);
    await graph.arrayBuffer();
    return [answer, graph].every(({ headers }) => headers.get('x-stratalog-lag') === '0');
  });
}

describe('Both profiles', () => {
  const databases: ScratchDatabase[] = [];
  const commands: Command[] = [];
  let folder: string;
  let embedded: string;
  let distributed: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stratalog-parity-'));
    const [one, other] = await Promise.all(
      [0, 1].map(() => createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '')),
    );
    if (one === undefined || other === undefined) throw new Error('no databases');
    databases.push(one, other);
    const own = {
      STRATALOG_PORT: '0',
      STRATALOG_DATA_DIR: folder,
      DATABASE_URL: one.url,
      STRATALOG_PARTITIONS: '4',
    };
    commands.push(
      new Command('start', { ...plainEnvironment(), ...own }),
      new Command('start-distributed', onTestServers(other.url), [
        '--port',
        '0',
        '--writers',
        '2',
        '--queries',
        '2',
      ]),
    );
    [embedded = '', distributed = ''] = await Promise.all(commands.map((command) => command.ready()));
  }, START_MS);
  afterAll(async () => {
    await Promise.all(commands.map((command) => command.end('SIGTERM')));
    for (const database of databases) await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    `give the same answers to the same ${String(OPERATIONS)} random requests`,
    async () => {
      const phases = randomPhases(SEED, OPERATIONS / (CHANGES + SEARCHES));
      const statuses = new Map<number, number>();
      let found = 0;
      let related = 0;
      const compare = async (operation: Operation): Promise<void> => {
        const [one, other] = await Promise.all([ask(embedded, operation), ask(distributed, operation)]);
        expect({ operation, ...other }).toEqual({ operation, ...one });
        statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1);
        if (isSearchBody(one.body) && one.body.value.numEntities > 0) found++;
        if (totalOf(one.body) > 0) related++;
      };
      for (const { changes, searches } of phases) {
        for (const operation of changes) await compare(operation);
        await Promise.all([caughtUp(embedded), caughtUp(distributed)]);
        for (const operation of searches) await compare(operation);
      }
      // The requests were worth comparing: most were taken, many were refused, and searches and edges have led to something.
      expect(statuses.get(200)).toBeGreaterThan(OPERATIONS / 2);
      for (const refusal of [400, 404, 422]) expect(statuses.get(refusal)).toBeGreaterThan(10);
      expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
      expect(found).toBeGreaterThan(50);
      expect(related).toBeGreaterThan(5);
    },
    2 * START_MS,
  );

  it('are walked through on the same way', async () => {
    const entities = ['dataset', 'tag', 'chart', 'dataFlow', 'dataJob', 'glossaryTerm', 'corpuser'];
    const asked = { input: '*', entities, count: 7, sort: { field: 'description' } };
    const walk = async (url: string): Promise<readonly (readonly string[])[]> => {
      const pages: (readonly string[])[] = [];
      let scrollId: string | undefined;
      do {
        const answer = await fetch(`${url}/entities?action=scrollAcrossEntities`, {
          method: 'POST',
          body: JSON.stringify({ ...asked, scrollId }),
        });
        const { value } = (await answer.json()) as {
          readonly value: { readonly entities: readonly string[]; readonly scrollId?: string };
        };
        pages.push(value.entities);
        ({ scrollId } = value);
      } while (scrollId !== undefined);
      return pages;
    };
    const [one, other] = await Promise.all([walk(embedded), walk(distributed)]);
    expect(other).toEqual(one);
    expect(one.length).toBeGreaterThan(5);
    expect(new Set(one.flat()).size).toBe(one.flat().length);
  });
});

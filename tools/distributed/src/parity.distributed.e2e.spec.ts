import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parsePosition } from '@stratalog/domain';
import { createScratchDatabase, type ScratchDatabase } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainEnvironment } from '@stratalog/harness';
import { Command, START_MS } from './testing/apps/command';
import { ask, isSearchBody, type Said } from './testing/random/comparable-answer';
import type { Operation } from './testing/random/operation';
import { CHANGES, SEARCHES, randomPhases } from './testing/random/random-operations';
import { onTestServers } from './testing/apps/test-servers';

const OPERATIONS = 1_200;
/** Requests at once that together reach every query process. */
const REQUESTS_AT_ONCE = 8;
/** Another seed generates other requests. */
const SEED = Number(process.env.PARITY_SEED ?? 20_261_121);

/** The number of edges in an answer of relationships. */
function totalOf(body: unknown): number {
  const { total } = (body ?? {}) as { readonly total?: unknown };
  return typeof total === 'number' ? total : 0;
}

/** Waits until searches include every write; returns the number of changes. */
async function caughtUp(url: string): Promise<number> {
  const hop = 'relationships?urn=urn:li:tag:x&direction=INCOMING&types=TaggedWith';
  const look = { input: '*', entity: 'dataset', start: 0, count: 0 };
  let changes = 0;
  await until(async () => {
    const answer = await fetch(`${url}/entities?action=search`, {
      method: 'POST',
      body: JSON.stringify(look),
    });
    await answer.arrayBuffer();
    const graph = await fetch(`${url}/${hop}`);
    await graph.arrayBuffer();
    changes = changesUpTo(answer.headers.get('x-stratalog-position') ?? '');
    return [answer, graph].every(({ headers }) => headers.get('x-stratalog-lag') === '0');
  });
  return changes;
}

/** Each partition counts its changes. */
function changesUpTo(position: string): number {
  const seqs = parsePosition(position)?.seqs.values() ?? [];
  return [...seqs].reduce((sum, seq) => sum + seq, 0);
}

/** Kinds of requests of which some must be accepted, by a pattern of their content. */
const KINDS: Readonly<Record<string, RegExp>> = {
  batches: /ingestProposalBatch/,
  patches: /ingestProposal .*"PATCH"/,
  conditions: /ingestProposal .*"If-/,
  creations: /ingestProposal .*"CREATE"/,
  restatements: /ingestProposal .*"RESTATE"/,
  'deletions of aspects': /ingestProposal .*"DELETE"/,
  'deletions of points': /action=delete .*datasetProfile/,
  timeseriesValues: /getTimeseriesAspectValues/,
  statistics: /getTimeseriesStats/,
  'ranges of versions': /startVersion=/,
  timelines: /timeline/,
  'former states': /asOf=/,
  retention: /applyRetention/,
  facets: /"facets":\["/,
  browsing: /action=browse /,
  'newer browsing': /browseV2/,
  autocompletion: /autocomplete/,
  'near spellings': /"correctSpelling":true/,
  'marked words': /"fragments":true/,
  'cards of matches': /"cards":true/,
  explanations: /search\/explain/,
};

/** Times at which a catalog committed a change. */
const OWN_TIMES: ReadonlySet<string> = new Set(['time', 'createdOn', 'updatedOn']);

/** Scores have fewer digits in one engine than in the other; sequences count the changes of a whole partition; catalogs commit at different times. */
function rounded(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value: unknown) => {
      if (name === 'seq') return undefined;
      if (OWN_TIMES.has(name)) return typeof value;
      return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
    }),
  );
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
      // The embedded catalog is the open default; in the mode of the test servers the other one would guard deletions.
      new Command('start-distributed', { ...onTestServers(other.url), STRATALOG_AUTH: 'none' }, [
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
    await Promise.all(commands.map((command) => command.stop()));
    for (const database of databases) await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The number of changes that the distributed catalog has more, when both have caught up. */
  const distance = async (): Promise<number> => {
    const [one, other] = await Promise.all([caughtUp(embedded), caughtUp(distributed)]);
    return other - one;
  };
  const expectSame = async (operation: Operation): Promise<Said> => {
    const [one, other] = await Promise.all([ask(embedded, operation), ask(distributed, operation)]);
    expect({ operation, ...other }).toEqual({ operation, ...one });
    return one;
  };

  const post = (target: string, body: object): Operation => ({
    method: 'POST',
    target,
    body: JSON.stringify(body),
  });
  const upsert = (urn: string, aspectName: string, value: object): Operation =>
    post('/aspects?action=ingestProposal', {
      proposal: {
        entityType: urn.split(':')[2],
        entityUrn: urn,
        changeType: 'UPSERT',
        aspectName,
        aspect: { value: JSON.stringify(value), contentType: 'application/json' },
        systemMetadata: { lastObserved: 1_700_000_000_000 },
      },
    });
  /** Asks both catalogs, and compares status, warnings and the answer with all its members. */
  const both = async (path: string, body?: object): Promise<readonly unknown[]> => {
    const [one = [], other] = await Promise.all(
      [embedded, distributed].map(async (url) => {
        const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
        const answer = await fetch(`${url}${path}`, init);
        return [answer.status, answer.headers.get('x-stratalog-warnings'), rounded(await answer.json())];
      }),
    );
    expect(other).toEqual(one);
    return one;
  };

  it(
    `give the same answers to the same ${String(OPERATIONS)} random requests`,
    async () => {
      const phases = randomPhases(SEED, OPERATIONS / (CHANGES + SEARCHES));
      const statuses = new Map<number, number>();
      const taken = new Set<string>();
      let found = 0;
      let related = 0;
      const compare = async (operation: Operation): Promise<void> => {
        const one = await expectSame(operation);
        statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1);
        const text = `${operation.target} ${operation.body ?? ''}`;
        for (const [kind, pattern] of Object.entries(KINDS)) {
          if (one.status === 200 && pattern.test(text)) taken.add(kind);
        }
        if (isSearchBody(one.body) && one.body.value.numEntities > 0) found++;
        if (totalOf(one.body) > 0) related++;
      };
      // The start of the distributed catalog has written a few changes.
      const before = await distance();
      for (const { changes, searches } of phases) {
        for (const operation of changes) await compare(operation);
        expect(await distance()).toBe(before);
        for (const operation of searches) await compare(operation);
      }
      // The requests are worth comparing: most were accepted, many were rejected, and searches and
      // relationships have results.
      expect(statuses.get(200)).toBeGreaterThan(OPERATIONS / 2);
      for (const rejection of [400, 404, 422]) expect(statuses.get(rejection)).toBeGreaterThan(10);
      expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
      expect(Object.keys(KINDS).filter((kind) => !taken.has(kind))).toEqual([]);
      expect(found).toBeGreaterThan(50);
      expect(related).toBeGreaterThan(5);
    },
    2 * START_MS,
  );

  /** Waits until every query process suggests `word`: each keeps its vocabulary for seconds. */
  const suggestsEverywhere = async (misspelt: string, word: string): Promise<void> => {
    const body = JSON.stringify({ input: misspelt, entities: ['dataset'], start: 0, count: 0 });
    const urls = [embedded, distributed].flatMap((url) =>
      Array.from({ length: REQUESTS_AT_ONCE }, () => url),
    );
    await until(async () => {
      const answers = await Promise.all(
        urls.map(async (url) => {
          const answer = await fetch(`${url}/entities?action=searchAcrossEntities`, { method: 'POST', body });
          return answer.text();
        }),
      );
      return answers.every((answer) => answer.includes(`"text":"${word}"`));
    });
  };

  it('rank, explain, relax and suggest alike', async () => {
    const urn = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,alike.${name},PROD)`;
    for (const name of ['invoice_lines', 'invoice_lines_2023', 'invoices', 'backinvoices', 'the_ledger']) {
      await expectSame(upsert(urn(name), 'datasetProperties', { name }));
    }
    await distance();
    await suggestsEverywhere('invoce', 'invoice');
    await suggestsEverywhere('backinvoces', 'backinvoices');
    await suggestsEverywhere('ledgr', 'ledger');
    const flags = { correctSpelling: true, fragments: true, skipCache: true };
    const found = [];
    for (const input of [
      'invoice lines',
      'back invoices',
      'invoicelines',
      'invoce',
      'invoice zebra',
      'ledger',
    ]) {
      for (const searchFlags of [undefined, flags, { fulltext: false }]) {
        const body = { input, entities: ['dataset'], start: 0, count: 10, searchFlags };
        found.push(await both('/entities?action=searchAcrossEntities', body));
      }
      for (const name of ['invoice_lines', 'invoices', 'the_ledger']) {
        const parameters = new URLSearchParams({ urn: urn(name), query: input });
        await both(`/operations/search/explain?${parameters.toString()}`);
      }
    }
    expect(JSON.stringify(found)).toMatch(/"suggestions":\[{"text":"invoice"/);
    expect(JSON.stringify(found)).toMatch(/"fallback":"someWords"/);
  });

  it('answer GraphQL alike', async () => {
    const urn = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,graphql.${name},PROD)`;
    const [source, target] = [urn('source'), urn('target')];
    const stamp = { time: 0, actor: 'urn:li:corpuser:ada' };
    for (const each of [source, target]) await expectSame(upsert(each, 'datasetProperties', { name: each }));
    await expectSame(upsert('urn:li:tag:alike', 'tagProperties', { name: 'Alike' }));
    await expectSame(upsert(source, 'globalTags', { tags: [{ tag: 'urn:li:tag:alike' }] }));
    await expectSame(
      upsert(source, 'ownership', {
        owners: [{ owner: 'urn:li:corpuser:ada', type: 'TECHNICAL_OWNER' }],
        lastModified: stamp,
      }),
    );
    await expectSame(
      upsert(target, 'upstreamLineage', {
        upstreams: [{ dataset: source, type: 'TRANSFORMED', auditStamp: stamp }],
      }),
    );
    await distance();
    const found = [];
    for (const query of [
      `{entity(urn: "${source}") {urn type ... on Dataset {name properties {name} tags {tags {tag {properties {name}}}}}}}`,
      '{searchAcrossEntities(input: {query: "*", types: [DATASET], filters: [{field: "tags", values: ["urn:li:tag:alike"]}]}) {total facets {field} searchResults {entity {... on Dataset {urn tags {tags {tag {urn}}} ownership {owners {type owner {... on CorpUser {username}}}}}}}}}',
      `{searchAcrossLineage(input: {urn: "${source}", direction: DOWNSTREAM, query: "*"}) {total searchResults {degree entity {urn} paths {path {urn}}}}}`,
      `{entity(urn: "${source}") {relationships(input: {types: ["TaggedWith"], direction: OUTGOING}) {total relationships {type entity {urn}}}}}`,
      '{scrollAcrossEntities(input: {query: "*", orFilters: [{and: [{field: "nothingHasIt", values: ["x"]}]}]}) {nextScrollId total}}',
      '{nope}',
    ]) {
      found.push(await both('/api/graphql', { query }));
    }
    const text = JSON.stringify(found);
    for (const each of ['"name":"Alike"', '"username":"ada"', '"degree":1', 'FieldUndefined', target]) {
      expect(text).toContain(each);
    }
  });

  it('follow lineage alike, at present and as of a time', async () => {
    const urn = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,line.${name},PROD)`;
    const column = (name: string): string => `urn:li:schemaField:(${urn(name)},id)`;
    const write = async (name: string, upstreams: readonly string[]): Promise<void> => {
      const value = {
        upstreams: upstreams.map((each) => ({
          dataset: urn(each),
          type: 'TRANSFORMED',
          auditStamp: { time: 1_700_000_000_000, actor: 'urn:li:corpuser:x' },
        })),
        fineGrainedLineages: upstreams.map((each) => ({
          upstreamType: 'FIELD_SET',
          downstreamType: 'FIELD',
          upstreams: [column(each)],
          downstreams: [column(name)],
        })),
      };
      await expectSame(upsert(urn(name), 'upstreamLineage', value));
    };
    /** A time at which all writes so far have happened, and none of those to come. */
    const passTime = async (): Promise<number> => {
      const timeMs = Date.now() + 2;
      await until(() => Promise.resolve(Date.now() > timeMs));
      return timeMs;
    };
    await write('b', ['a']);
    await write('c', ['b', 'a']);
    await write('d', ['c']);
    const before = await passTime();
    await write('c', ['x']);
    await expectSame(upsert(urn('d'), 'status', { removed: true }));
    await expectSame(upsert(urn('b'), 'status', { removed: false }));
    const after = await passTime();
    await distance();
    const answers = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      for (const asOf of [undefined, before, after]) {
        const time = asOf === undefined ? '' : `asOf=${String(asOf)}`;
        for (const target of [urn(name), column(name)]) {
          const path = `/lineage/${encodeURIComponent(target)}`;
          const asked = { urn: target, asOf };
          for (const direction of ['UPSTREAM', 'DOWNSTREAM']) {
            answers.push(await both(`/relationships?action=getLineage`, { ...asked, direction, maxHops: 3 }));
            answers.push(await both(`${path}/impact?direction=${direction}&${time}`));
          }
          answers.push(await both(`${path}.json?${time}`));
        }
      }
      const days = `from=${String(before)}&to=${String(after)}`;
      answers.push(await both(`/lineage/${encodeURIComponent(urn(name))}/diff?${days}`));
    }
    expect(answers.filter(([status]) => status !== 200)).toEqual([]);
    expect(JSON.stringify(answers)).toMatch(/"added":1,"removed":2/);
  });

  it('return the same pages', async () => {
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

  it(
    'purge the same versions',
    async () => {
      const urns = ['a', 'b', 'c'].map((name) => `urn:li:tag:kept-${name}`);
      for (const name of ['1', '2', '3', '4', '5'])
        for (const urn of urns) await expectSame(upsert(urn, 'tagProperties', { name }));
      const policy = { retention: { version: { maxVersions: 2 } } };
      const [all, one] = ['*', 'tagProperties'].map((name) => `urn:li:dataHubRetention:(tag,${name})`);
      await expectSame(upsert(all ?? '', 'dataHubRetentionConfig', { retention: {} }));
      await expectSame(upsert(one ?? '', 'dataHubRetentionConfig', policy));
      // Retention keeps unpublished changes, and the index shows which are published.
      await Promise.all([caughtUp(embedded), caughtUp(distributed)]);
      for (const more of [
        { urn: urns[0] },
        { count: 10_000 },
        { count: 10_000 },
        { urn: 'urn:li:tag:none' },
      ]) {
        const said = await expectSame(post('/entities?action=applyRetention', more));
        expect(said.status).toBe(200);
      }
      for (const urn of urns) {
        const range = await expectSame({
          method: 'GET',
          target: `/aspects/${encodeURIComponent(urn)}?aspect=tagProperties&startVersion=1`,
        });
        expect(range.body).toMatchObject({ truncatedUpTo: 3, isCut: true });
        for (const target of [
          `aspects/${urn}?aspect=tagProperties&version=2`,
          `entitiesV2/${urn}/timeline?count=9`,
        ])
          await expectSame({ method: 'GET', target: `/${target}` });
      }
    },
    START_MS,
  );
});

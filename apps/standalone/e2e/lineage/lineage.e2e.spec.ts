import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@stratalog/json';
import { dataset, stamp, user } from '../relationships/edge-forms';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { readDegrees, readEntries, postLineage, readLineage } from '../testing/data/lineage';

const column = (table: string, name: string): string => `urn:li:schemaField:(${dataset(table)},${name})`;
const JOB = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,prod),load)';
const RUN = 'urn:li:dataProcessInstance:run-1';
const QUERY = 'urn:li:query:nightly';
const upstream = (name: string, more = {}) => ({ dataset: dataset(name), type: 'TRANSFORMED', ...more });
const upstreams = (...names: readonly string[]) => ({ upstreams: names.map((name) => upstream(name)) });
const fineGrained = (downstreams: readonly string[], from: readonly string[], more = {}) => ({
  upstreamType: 'FIELD_SET',
  downstreamType: 'FIELD_SET',
  upstreams: from,
  downstreams,
  ...more,
});

describe('lineage', () => {
  const catalog = catalogForSuite();
  let waitFor: string;
  const degrees = (urn: string, direction: string, more = {}) =>
    readDegrees(catalog.http, { urn, direction, maxHops: 10, ...more }, waitFor);

  beforeAll(async () => {
    const { http } = catalog;
    // a -> b -> d, a -> c -> d, d -> e -> a: a diamond in a cycle; and e -> e.
    await http.write(dataset('b'), 'upstreamLineage', upstreams('a'));
    await http.write(dataset('c'), 'upstreamLineage', upstreams('a'));
    await http.write(dataset('d'), 'upstreamLineage', upstreams('b', 'c'));
    await http.write(dataset('e'), 'upstreamLineage', upstreams('d', 'e'));
    await http.write(dataset('a'), 'upstreamLineage', upstreams('e'));
    // in -> job -> out by a job; the run of the job has lineage of its own.
    await http.write(JOB, 'dataJobInputOutput', {
      inputDatasets: [dataset('in')],
      outputDatasets: [dataset('out')],
      fineGrainedLineages: [
        fineGrained([column('out', 'y')], [column('in', 'x')], { transformOperation: 'SUM' }),
      ],
    });
    await http.write(RUN, 'dataProcessInstanceInput', {
      inputs: [],
      inputEdges: [{ destinationUrn: dataset('in') }],
    });
    await http.write(RUN, 'dataProcessInstanceOutput', {
      outputs: [],
      outputEdges: [{ destinationUrn: dataset('out2') }],
    });
    // q <- p by a query, drawn by a person, with stamps.
    await http.write(dataset('q'), 'upstreamLineage', {
      upstreams: [
        upstream('p', {
          created: stamp(100, 'ada'),
          auditStamp: stamp(200, 'bob'),
          properties: { source: 'UI', note: 'by hand' },
          query: QUERY,
        }),
        upstream('old', { created: stamp(10, 'ada'), auditStamp: stamp(20, 'ada') }),
      ],
    });
    // Columns: t1.a -> t2.b -> t3.c, t2.b -> t3.d, and t1.z alone.
    await http.write(dataset('t2'), 'upstreamLineage', {
      ...upstreams('t1'),
      fineGrainedLineages: [fineGrained([column('t2', 'b')], [column('t1', 'a')])],
    });
    await http.write(dataset('t3'), 'upstreamLineage', {
      ...upstreams('t2'),
      fineGrainedLineages: [
        fineGrained([column('t3', 'c'), column('t3', 'd')], [column('t2', 'b')]),
        fineGrained([column('t3', 'e')], [column('t1', 'z')]),
      ],
    });
    // Siblings: the same table on two platforms.
    await http.write(dataset('twin'), 'siblings', { siblings: [dataset('t3')], primary: true });
    // one -> gone -> two, where gone is soft-deleted.
    await http.write(dataset('gone'), 'upstreamLineage', upstreams('one'));
    await http.write(dataset('two'), 'upstreamLineage', upstreams('gone'));
    await http.write(dataset('one'), 'status', { removed: false });
    waitFor = await http.write(dataset('gone'), 'status', { removed: true });
  });

  it('does not join siblings, which are edges of their own', async () => {
    const sibling = `/relationships?urn=${encodeURIComponent(dataset('twin'))}&types=SiblingOf&direction=OUTGOING`;
    const { json } = await catalog.http.get(sibling, { 'X-Stratalog-Wait-For': waitFor });
    expect(at(json, 'relationships')).toMatchObject([{ type: 'SiblingOf', entity: dataset('t3') }]);
    expect(await degrees(dataset('twin'), 'UPSTREAM')).toEqual([]);
    expect(await degrees(dataset('t3'), 'DOWNSTREAM')).toEqual([]);
  });

  it('goes over several hops, through diamonds and cycles, with every shortest path', async () => {
    expect(await degrees(dataset('a'), 'DOWNSTREAM')).toEqual([
      `1 ${dataset('b')}`,
      `1 ${dataset('c')}`,
      `2 ${dataset('d')}`,
      `3 ${dataset('e')}`,
    ]);
    expect(await degrees(dataset('a'), 'UPSTREAM', { maxHops: 2 })).toEqual([
      `1 ${dataset('e')}`,
      `2 ${dataset('d')}`,
    ]);
    const answer = await readLineage(catalog.http, {
      urn: dataset('a'),
      direction: 'DOWNSTREAM',
      maxHops: 2,
    });
    expect(readEntries(answer)[2]).toMatchObject({
      type: 'DownstreamOf',
      entity: dataset('d'),
      degree: 2,
      degrees: [2],
      paths: [
        [dataset('a'), dataset('b'), dataset('d')],
        [dataset('a'), dataset('c'), dataset('d')],
      ],
      path: [dataset('a'), dataset('b'), dataset('d')],
      explored: false,
    });
    expect(readEntries(answer)[0]).toMatchObject({ explored: true });
    expect(answer).toMatchObject({ start: 0, count: 3, total: 3 });
    expect(Object.keys(answer).sort()).toEqual(['count', 'relationships', 'start', 'total']);
  });

  it('pages, also beyond the end, and one hop by default', async () => {
    const page = (start: number, count: number) => degrees(dataset('a'), 'DOWNSTREAM', { start, count });
    expect(await page(1, 2)).toEqual([`1 ${dataset('c')}`, `2 ${dataset('d')}`]);
    expect(await page(4, 2)).toEqual([]);
    expect(await readDegrees(catalog.http, { urn: dataset('a'), direction: 'UPSTREAM' })).toEqual([
      `1 ${dataset('e')}`,
    ]);
    expect(await readLineage(catalog.http, { urn: dataset('never'), direction: 'UPSTREAM' })).toEqual({
      start: 0,
      count: 0,
      total: 0,
      relationships: [],
    });
  });

  it('goes through data jobs and runs of processes', async () => {
    expect(await degrees(dataset('out'), 'UPSTREAM')).toEqual([`1 ${JOB}`, `2 ${dataset('in')}`]);
    expect(await degrees(dataset('in'), 'DOWNSTREAM')).toEqual([
      `1 ${JOB}`,
      `1 ${RUN}`,
      `2 ${dataset('out')}`,
      `2 ${dataset('out2')}`,
    ]);
    expect(await degrees(JOB, 'DOWNSTREAM')).toEqual([`1 ${dataset('out')}`]);
  });

  it('tells the stamps, properties and query of a hop, and selects by time', async () => {
    const { http } = catalog;
    const query = { urn: dataset('q'), direction: 'UPSTREAM' };
    const [old, drawn] = readEntries(await readLineage(http, query));
    expect(drawn).toEqual({
      type: 'DownstreamOf',
      entity: dataset('p'),
      degree: 1,
      degrees: [1],
      paths: [[dataset('q'), dataset('p')]],
      path: [dataset('q'), dataset('p')],
      createdOn: 100,
      createdActor: user('ada'),
      updatedOn: 200,
      updatedActor: user('bob'),
      isManual: true,
      properties: { source: 'UI', note: 'by hand' },
      via: QUERY,
      explored: false,
    });
    expect(old).toMatchObject({ entity: dataset('old'), isManual: false, createdOn: 10, updatedOn: 20 });
    const within = (startTimeMillis: number, endTimeMillis: number) =>
      readDegrees(http, { ...query, startTimeMillis, endTimeMillis });
    expect(await within(15, 25)).toEqual([`1 ${dataset('old')}`, `1 ${dataset('p')}`]);
    expect(await within(30, 40)).toEqual([`1 ${dataset('p')}`]);
  });

  it('leaves out soft-deleted entities and missing ones, with what only they lead to', async () => {
    const { http } = catalog;
    const query = { urn: dataset('two'), direction: 'UPSTREAM', maxHops: 5 };
    expect(await readLineage(http, query)).toEqual({
      start: 0,
      count: 0,
      total: 0,
      filtered: 2,
      relationships: [],
    });
    const all = { ...query, includeSoftDeleted: true };
    expect(await readDegrees(http, all)).toEqual([`1 ${dataset('gone')}`, `2 ${dataset('one')}`]);
    // `in` was never written, and `out` neither.
    expect(await degrees(JOB, 'UPSTREAM', { includeMissing: false })).toEqual([]);
    expect(await degrees(dataset('e'), 'UPSTREAM', { includeMissing: false, maxHops: 1 })).toEqual([
      `1 ${dataset('d')}`,
    ]);
  });

  it('leaves out what a soft-deleted query produced', async () => {
    const { http } = catalog;
    await http.write(dataset('r'), 'upstreamLineage', {
      upstreams: [upstream('p', { query: 'urn:li:query:removed' })],
    });
    const query = { urn: dataset('r'), direction: 'UPSTREAM' };
    const written = await http.write('urn:li:query:removed', 'status', { removed: true });
    expect(await readDegrees(http, query, written)).toEqual([]);
    expect(await readDegrees(http, { ...query, includeSoftDeleted: true })).toEqual([`1 ${dataset('p')}`]);
  });

  it('follows columns over several hops, also those of an entity', async () => {
    expect(await degrees(column('t1', 'a'), 'DOWNSTREAM')).toEqual([
      `1 ${column('t2', 'b')}`,
      `2 ${column('t3', 'c')}`,
      `2 ${column('t3', 'd')}`,
    ]);
    expect(await degrees(column('out', 'y'), 'UPSTREAM')).toEqual([`1 ${column('in', 'x')}`]);
    const [hop] = readEntries(
      await readLineage(catalog.http, { urn: column('out', 'y'), direction: 'UPSTREAM' }),
    );
    expect(hop).toMatchObject({
      via: JOB,
      properties: { transformOperation: 'SUM' },
      paths: [[column('out', 'y'), column('in', 'x')]],
    });
    expect(await degrees(dataset('t1'), 'DOWNSTREAM', { level: 'COLUMN' })).toEqual([
      `1 ${column('t2', 'b')}`,
      `1 ${column('t3', 'e')}`,
      `2 ${column('t3', 'c')}`,
      `2 ${column('t3', 'd')}`,
    ]);
  });

  it('replaces columns by their entities on request', async () => {
    const query = { urn: column('t1', 'a'), direction: 'DOWNSTREAM', level: 'ENTITY', maxHops: 5 };
    const answer = readEntries(await readLineage(catalog.http, query));
    expect(answer).toMatchObject([
      { entity: dataset('t2'), degree: 1, paths: [[dataset('t1'), dataset('t2')]] },
      { entity: dataset('t3'), degree: 2, paths: [[dataset('t1'), dataset('t2'), dataset('t3')]] },
    ]);
    expect(await degrees(dataset('t1'), 'DOWNSTREAM')).toEqual([`1 ${dataset('t2')}`, `2 ${dataset('t3')}`]);
  });

  it('answers several urns at once', async () => {
    const { http } = catalog;
    const body = { urns: [dataset('b'), column('t2', 'b'), dataset('b')], direction: 'UPSTREAM' };
    const answer = await postLineage(http, 'batchGetLineage', body);
    expect(at(answer.json, 'value', 'results')).toEqual({
      [dataset('b')]: await readLineage(http, { urn: dataset('b'), direction: 'UPSTREAM' }),
      [column('t2', 'b')]: await readLineage(http, { urn: column('t2', 'b'), direction: 'UPSTREAM' }),
    });
  });

  it('pages through the neighbours of a hub, and says where a longer walk was cut', async () => {
    const { http } = catalog;
    const names = Array.from({ length: 5_200 }, (_, index) => `hub.${String(index).padStart(4, '0')}`);
    const job = (name: string) => `urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,prod),${name})`;
    await http.write(job('hub'), 'dataJobInputOutput', {
      inputDatasets: [],
      outputDatasets: names.map(dataset),
    });
    const written = await http.write(job('first'), 'dataJobInputOutput', {
      inputDatasets: [],
      outputDatasets: [],
      inputDatajobs: [],
    });
    await http.write(dataset('hub.0001'), 'status', { removed: true });
    const page = { urn: job('hub'), direction: 'DOWNSTREAM', start: 0, count: 3 };
    expect(await readLineage(http, page, written)).toMatchObject({
      start: 0,
      count: 2,
      total: 5_200,
      filtered: 1,
      relationships: [{ entity: dataset('hub.0000') }, { entity: dataset('hub.0002') }],
    });
    expect(await readLineage(http, { ...page, start: 5_198 })).toMatchObject({
      count: 2,
      total: 5_200,
      relationships: [{ entity: dataset('hub.5198') }, { entity: dataset('hub.5199') }],
    });
    expect(await readLineage(http, { ...page, maxHops: 2 })).toMatchObject({
      total: 4_999,
      filtered: 1,
      partial: true,
      continueAt: [job('hub')],
    });
    const few = { urn: dataset('a'), direction: 'DOWNSTREAM', maxHops: 3, entitiesExploredPerHopLimit: 1 };
    expect(await readLineage(http, few)).toMatchObject({
      total: 4,
      partial: true,
      continueAt: [dataset('c')],
    });
  });

  it.each([
    [
      { direction: 'upstream' },
      /'direction' is "upstream"; allowed: UPSTREAM, DOWNSTREAM; did you mean UPSTREAM\?/,
    ],
    [{ level: 'FIELD' }, /'level' is "FIELD"; allowed: ENTITY, COLUMN/],
    [{ maxHops: 0 }, /maxHops.*from 1 to 1000/],
    [{ maxHops: 1_001 }, /maxHops.*from 1 to 1000/],
    [{ start: -1 }, /start.*0/],
    [{ count: 10_001 }, /count.*10000/],
    [{ startTimeMillis: 5, endTimeMillis: 4 }, /endTimeMillis :: is before startTimeMillis/],
    [{ urn: 'no urn' }, /Invalid urn no urn/],
    [
      { urn: 'urn:li:tag:pii' },
      /'urn' is of the type tag, which has no lineage; these have: .*chart, .*dataset/,
    ],
    [{ urn: 'urn:li:datset:x' }, /type datset, .*did you mean dataset\?/],
    [{ includeSoftDeleted: 'maybe' }, /includeSoftDeleted.*true or false/],
  ])('rejects %j', async (wrong, reason) => {
    const body = { urn: dataset('a'), direction: 'UPSTREAM', ...wrong };
    const answer = await postLineage(catalog.http, 'getLineage', body);
    expect([answer.status, at(answer.json, 'message')]).toEqual([400, expect.stringMatching(reason)]);
  });

  it('rejects a batch without urns, and one with too many', async () => {
    for (const urns of [[], Array.from({ length: 101 }, () => dataset('a')), ['urn:li:tag:pii']]) {
      const answer = await catalog.http.post(
        '/relationships?action=batchGetLineage',
        stringifyJson({ urns, direction: 'UPSTREAM' }),
      );
      expect(answer.status).toBe(400);
    }
  });
});

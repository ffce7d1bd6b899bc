import { describe, expect, it } from '@jest/globals';
import { FORMS, UNKNOWN_STAMP, dataset, stamp, tag, tags, user } from './edge-forms';
import { at } from '../testing/catalog/catalog-client';
import { askRelationships, relatedTo } from '../testing/data/relationships';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const TYPES = [...new Set(FORMS.flatMap(({ drawn }) => drawn.map((edge) => edge.split(' ')[0] ?? '')))];

describe('relationships', () => {
  const catalog = catalogForSuite();

  it.each(FORMS)('come from $form, in both directions', async ({ urn, aspectName, value, drawn }) => {
    const { http } = catalog;
    const waitFor = await http.write(urn, aspectName, value);
    expect(await relatedTo(http, { urn, types: TYPES, waitFor })).toEqual({
      total: drawn.length,
      edges: drawn,
    });
    for (const edge of drawn) {
      const [type = '', end = ''] = edge.split(' ');
      const incoming = await relatedTo(http, { urn: end, direction: 'INCOMING', types: [type] });
      expect(incoming.edges).toContain(`${type} ${urn}`);
    }
  });

  it('have the stamps that the aspect gives them, else those of the write', async () => {
    const urn = dataset('stamped');
    const upstreams = [
      { dataset: dataset('one'), type: 'COPY', auditStamp: stamp(7, 'changed'), created: stamp(5, 'made') },
      { dataset: dataset('two'), type: 'COPY', auditStamp: UNKNOWN_STAMP },
    ];
    const members = { systemMetadata: { lastObserved: 1_700_000_000_000 } };
    await catalog.http.ingest({ urn, aspectName: 'upstreamLineage', value: { upstreams }, members });
    const waitFor = await catalog.http.write(urn, 'status', { removed: false });
    const answer = await askRelationships(catalog.http, { urn, types: ['DownstreamOf'], waitFor });
    const observed = stamp(1_700_000_000_000, 'unknown');
    expect(answer.json).toEqual({
      start: 0,
      count: 2,
      total: 2,
      relationships: [
        { type: 'DownstreamOf', entity: dataset('one'), created: stamp(5, 'made') },
        { type: 'DownstreamOf', entity: dataset('two'), created: observed },
      ],
      entities: [dataset('one'), dataset('two')],
    });
  });

  it('are those of the latest value, and of no other aspect', async () => {
    const { http } = catalog;
    const urn = dataset('rewritten');
    const types = ['TaggedWith', 'AssociatedWith'];
    await http.write(urn, 'globalTags', tags('a', 'b'));
    await http.write(urn, 'domains', { domains: ['urn:li:domain:d'] });
    const waitFor = await http.write(urn, 'globalTags', tags('b', 'c'));
    const domain = 'AssociatedWith urn:li:domain:d';
    expect((await relatedTo(http, { urn, types, waitFor })).edges).toEqual([
      domain,
      `TaggedWith ${tag('b')}`,
      `TaggedWith ${tag('c')}`,
    ]);
    const incoming = { urn: tag('a'), direction: 'INCOMING', types };
    expect(await relatedTo(http, incoming)).toEqual({ total: 0, edges: [] });
    const emptied = await http.write(urn, 'globalTags', tags());
    expect((await relatedTo(http, { urn, types, waitFor: emptied })).edges).toEqual([domain]);
  });

  it('are counted by type and direction, as their lists have them', async () => {
    const { http } = catalog;
    const urn = dataset('counted');
    await http.write(urn, 'globalTags', tags('a', 'b', 'c'));
    await http.write(urn, 'editableSchemaMetadata', {
      editableSchemaFieldInfo: [{ fieldPath: 'x', globalTags: tags('c') }],
    });
    const upstreams = [{ dataset: urn, type: 'COPY', auditStamp: UNKNOWN_STAMP }];
    const waitFor = await http.write(dataset('counts'), 'upstreamLineage', { upstreams });
    const target = `/relationships/counts?urn=${encodeURIComponent(urn)}`;
    const answer = await http.get(target, { 'X-Stratalog-Wait-For': waitFor });
    expect([answer.status, answer.headers['x-stratalog-lag']]).toEqual([200, '0']);
    const counts = at(answer.json, 'counts') as unknown as {
      type: string;
      direction: string;
      count: number;
    }[];
    expect(counts).toContainEqual({ type: 'DownstreamOf', direction: 'INCOMING', count: 1 });
    expect(counts).toContainEqual({ type: 'TaggedWith', direction: 'OUTGOING', count: 3 });
    for (const { type, direction, count } of counts)
      expect((await relatedTo(http, { urn, types: [type], direction })).total).toBe(count);
    expect((await http.get('/relationships/counts?urn=urn:li:tag:without')).json).toEqual({
      urn: 'urn:li:tag:without',
      counts: [],
    });
    const { status, json } = await http.get('/relationships/counts?urn=nonsense');
    expect([status, at(json, 'message')]).toEqual([400, expect.stringContaining('Invalid urn nonsense')]);
  });

  it('lead to entities that are unknown, soft-deleted, or of unknown types', async () => {
    const { http } = catalog;
    const urn = 'urn:li:corpGroup:ends';
    await http.write(dataset('hidden'), 'ownership', {
      owners: [{ owner: urn, type: 'DATAOWNER' }],
      lastModified: UNKNOWN_STAMP,
    });
    const waitFor = await http.write(dataset('hidden'), 'status', { removed: true });
    const owned = await relatedTo(http, { urn, direction: 'INCOMING', types: ['OwnedBy'], waitFor });
    expect(owned.edges).toEqual([`OwnedBy ${dataset('hidden')}`]);
    const unknown = { urn: 'urn:li:noSuchType:x', types: ['OwnedBy'] };
    expect(await relatedTo(http, unknown)).toEqual({ total: 0, edges: [] });
  });

  it('relationships of both directions are requested by UNDIRECTED', async () => {
    const { http } = catalog;
    const value = (upstream: string) => ({
      upstreams: [{ dataset: dataset(upstream), type: 'COPY', auditStamp: UNKNOWN_STAMP }],
    });
    await http.write(dataset('middle'), 'upstreamLineage', value('before'));
    const waitFor = await http.write(dataset('after'), 'upstreamLineage', value('middle'));
    const question = { urn: dataset('middle'), direction: 'UNDIRECTED', types: ['DownstreamOf'], waitFor };
    expect((await relatedTo(http, question)).edges).toEqual([
      `DownstreamOf ${dataset('after')}`,
      `DownstreamOf ${dataset('before')}`,
    ]);
  });

  it('are requested by type in every notation that clients send', async () => {
    const { http } = catalog;
    const urn = dataset('notations');
    const lastModified = UNKNOWN_STAMP;
    await http.write(urn, 'ownership', { owners: [{ owner: user('n'), type: 'DATAOWNER' }], lastModified });
    const waitFor = await http.write(urn, 'globalTags', tags('n'));
    await relatedTo(http, { urn, types: ['TaggedWith'], waitFor });
    const both = [user('n'), tag('n')];
    for (const [types, entities] of [
      ['types=List(OwnedBy,TaggedWith)', both],
      ['types=List%28OwnedBy%2CTaggedWith%29', both],
      ['types=OwnedBy,TaggedWith', both],
      ['types=OwnedBy&types=TaggedWith', both],
      ['types=TaggedWith', [tag('n')]],
      ['types=List(TaggedWith,TaggedWith)', [tag('n')]],
      ['types=List(noSuchRelationship)', []],
    ] as const) {
      for (const [prefix, spelled] of [
        ['', encodeURIComponent(urn)],
        ['/gms', urn],
        ['/api/gms', ` ${encodeURIComponent(urn)} `.replaceAll(' ', '%20')],
      ]) {
        const target = `${String(prefix)}/relationships?direction=OUTGOING&urn=${String(spelled)}&${types}`;
        const answer = await http.get(target);
        expect({ target, status: answer.status, entities: at(answer.json, 'entities') }).toEqual({
          target,
          status: 200,
          entities,
        });
      }
    }
  });

  const URN = encodeURIComponent(dataset('plain'));
  it.each([
    ['/relationships?direction=INCOMING&types=OwnedBy', "Parameter 'urn' is required"],
    [`/relationships?urn=${URN}&types=OwnedBy`, "Parameter 'direction' is required"],
    [`/relationships?urn=${URN}&direction=INCOMING`, "Parameter 'types' is required"],
    [`/relationships?urn=${URN}&direction=INCOMING&types=List()`, "Parameter 'types' is required"],
    [
      `/relationships?urn=${URN}&direction=SIDEWAYS&types=OwnedBy`,
      'Parameter \'direction\' is "SIDEWAYS"; allowed: INCOMING, OUTGOING, UNDIRECTED',
    ],
    [
      `/relationships?urn=${URN}&direction=incoming&types=OwnedBy`,
      'Parameter \'direction\' is "incoming"; allowed: INCOMING, OUTGOING, UNDIRECTED; did you mean INCOMING?',
    ],
    [
      `/relationships?urn=nonsense&direction=INCOMING&types=OwnedBy`,
      'Invalid urn nonsense: must start with "urn:"',
    ],
    [
      `/relationships?urn=${URN}&direction=INCOMING&types=OwnedBy&start=-1`,
      "Argument parameter 'start' value '-1' is invalid: it must be an integer from 0 on",
    ],
    [
      `/relationships?urn=${URN}&direction=INCOMING&types=OwnedBy&count=10001`,
      "Argument parameter 'count' value '10001' is invalid: it must be an integer from 0 to 10000",
    ],
    [
      `/relationships?urn=${URN}&direction=INCOMING&types=OwnedBy&count=many`,
      "Argument parameter 'count' value 'many' is invalid: it must be an integer from 0 to 10000",
    ],
  ])('are rejected to %s', async (target, message) => {
    const answer = await catalog.http.get(target);
    expect([answer.status, at(answer.json, 'message')]).toEqual([400, message]);
  });

  it('come in pages without gaps or repeats of permanent ones, during concurrent changes', async () => {
    const { http } = catalog;
    const names = Array.from({ length: 60 }, (_, n) => `page${String(n).padStart(2, '0')}`);
    const positions = await Promise.all(
      names.map((name) => http.write(dataset(`steady.${name}`), 'globalTags', tags('paged'))),
    );
    for (const waitFor of positions)
      await relatedTo(http, { urn: tag('paged'), types: ['TaggedWith'], waitFor });
    const over = new AbortController();
    const writing = (async () => {
      for (let n = 0; !over.signal.aborted; n++) {
        const name = `unsteady.${String(n % 5)}`;
        await http.write(dataset(name), 'globalTags', tags(...(n % 2 === 0 ? ['paged'] : [])));
      }
    })();
    const question = { urn: tag('paged'), direction: 'INCOMING', types: ['TaggedWith'] };
    for (let round = 0; round < 5; round++) {
      const seen: string[] = [];
      for (let start = 0; start < 60; start += 7) {
        const { edges, total } = await relatedTo(http, {
          ...question,
          start,
          count: Math.min(7, 60 - start),
        });
        expect(total).toBeGreaterThanOrEqual(60);
        seen.push(...edges);
      }
      // In byte order the permanent ones sort before all transient ones.
      expect(seen).toEqual(names.map((name) => `TaggedWith ${dataset(`steady.${name}`)}`));
    }
    over.abort();
    await writing;
    expect((await relatedTo(http, { ...question, start: 1_000 })).edges).toEqual([]);
    const none = await askRelationships(http, { ...question, count: 0 });
    expect(at(none.json, 'relationships')).toEqual([]);
    expect(at(none.json, 'total')).toBeGreaterThanOrEqual(60);
  });

  it('disappear with their aspect or their entity, and return with a newer proposal', async () => {
    const { http } = catalog;
    const urn = dataset('deleted');
    const types = ['TaggedWith', 'IsPartOf'];
    const remove = async (aspectName: string): Promise<string> => {
      const members = { changeType: 'DELETE', aspect: undefined };
      const answer = await http.ingest({ urn, aspectName, value: '', members });
      return answer.headers['x-stratalog-position'] ?? '';
    };
    await http.write(urn, 'globalTags', tags('gone'));
    await http.write(urn, 'container', { container: 'urn:li:container:gone' });
    const one = await remove('globalTags');
    expect((await relatedTo(http, { urn, types, waitFor: one })).edges).toEqual([
      'IsPartOf urn:li:container:gone',
    ]);
    const all = await remove('datasetKey');
    expect((await relatedTo(http, { urn, types, waitFor: all })).edges).toEqual([]);
    const back = await http.write(urn, 'globalTags', tags('gone'));
    const incoming = { urn: tag('gone'), direction: 'INCOMING', types };
    expect((await relatedTo(http, { ...incoming, waitFor: back })).edges).toEqual([`TaggedWith ${urn}`]);
  });

  it('relationships of an entity are removed on request, and projected again by the next write', async () => {
    const { http } = catalog;
    const [left, middle, right] = ['left', 'centre', 'right'].map(dataset) as [string, string, string];
    const lineage = (upstream: string) => ({
      upstreams: [{ dataset: upstream, type: 'COPY', auditStamp: UNKNOWN_STAMP }],
    });
    await http.write(middle, 'upstreamLineage', lineage(left));
    const waitFor = await http.write(right, 'upstreamLineage', lineage(middle));
    const question = { urn: middle, direction: 'UNDIRECTED', types: ['DownstreamOf'] };
    expect((await relatedTo(http, { ...question, waitFor })).total).toBe(2);
    const target = `/relationships?urn=${encodeURIComponent(middle)}`;
    const removed = await http.send({ method: 'DELETE', target });
    expect([removed.status, removed.body]).toEqual([200, '']);
    expect((await relatedTo(http, question)).total).toBe(0);
    expect((await http.send({ method: 'DELETE', target })).status).toBe(200);
    // The store is unchanged; a later write of the aspect projects its edges again.
    expect((await http.aspect(middle, 'upstreamLineage')).status).toBe(200);
    const again = await http.write(right, 'globalTags', tags('again'));
    expect((await relatedTo(http, { ...question, waitFor: again })).edges).toEqual([`DownstreamOf ${right}`]);
    for (const [wrong, message] of [
      ['/relationships', "Parameter 'urn' is required"],
      ['/relationships?urn=x', 'Invalid urn x: must start with "urn:"'],
    ] as const) {
      const rejected = await http.send({ method: 'DELETE', target: wrong });
      expect([rejected.status, at(rejected.json, 'message')]).toEqual([400, message]);
    }
  });
});

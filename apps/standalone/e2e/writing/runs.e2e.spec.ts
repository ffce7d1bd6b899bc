import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const PROPERTIES = 'datasetProperties';
/** The default aspects that the first aspect of a dataset adds. */
const DEFAULT_ASPECTS = ['browsePaths', 'browsePathsV2', 'dataPlatformInstance', 'datasetKey'];

describe('Runs', () => {
  const catalog = catalogForSuite();
  const call = (action: string, body: JsonOutputObject): Promise<Answer> =>
    catalog.http.post(`/runs?action=${action}`, stringifyJson(body));
  const valueOf = async (action: string, body: JsonOutputObject): Promise<JsonValue> => {
    const answer = await call(action, body);
    if (answer.status !== 200) throw new Error(answer.body);
    return at(answer.json, 'value') ?? null;
  };
  const rollback = async (runId: string, more: JsonOutputObject = {}): Promise<JsonObject> =>
    (await valueOf('rollback', { runId, dryRun: false, ...more })) as JsonObject;
  const write = async (
    runId: string | undefined,
    urn: string,
    aspectName: string,
    value: JsonOutputObject,
    parameters: JsonOutputObject = {},
  ): Promise<void> => {
    const members = runId === undefined ? {} : { systemMetadata: { runId } };
    const answer = await catalog.http.ingest({ urn, aspectName, value, members, parameters });
    if (answer.status !== 200) throw new Error(answer.body);
  };
  const described = (description: string): JsonOutputObject => ({ description });
  const listed = async (includeSoft = false): Promise<JsonObject[]> =>
    (await valueOf('list', { pageOffset: 0, pageSize: 1_000, includeSoft })) as JsonObject[];
  const runNamed = async (runId: string, includeSoft = false) =>
    (await listed(includeSoft)).find((run) => run.runId === runId);
  const aspectsOf = async (runId: string, more: JsonOutputObject = {}): Promise<JsonObject[]> =>
    (await valueOf('describe', { runId, start: 0, count: 100, ...more })) as JsonObject[];
  const namesOf = async (urn: string): Promise<string[]> =>
    Object.keys(at((await catalog.http.entity(urn)).json, 'aspects') ?? {}).sort();
  const latestOf = async (urn: string, name = PROPERTIES): Promise<JsonObject> =>
    (at((await catalog.http.entity(urn)).json, 'aspects', name) ?? {}) as JsonObject;

  it('are listed, the most recent writer first, and described', async () => {
    await write('list-1', dataset('listed'), PROPERTIES, described('one'));
    await write('list-2', dataset('listed'), 'status', { removed: false });
    const runs = (await listed()).map(({ runId }) => runId);
    expect(runs.indexOf('list-2')).toBeLessThan(runs.indexOf('list-1'));
    expect(await runNamed('list-1')).toEqual({
      runId: 'list-1',
      timestamp: expect.any(Number),
      rows: DEFAULT_ASPECTS.length + 1,
    });

    const [first] = await aspectsOf('list-2');
    expect(first).toEqual({
      runId: 'list-2',
      urn: dataset('listed'),
      aspectName: 'status',
      timestamp: expect.any(Number),
      keyAspect: false,
      version: 1,
    });
    expect((await aspectsOf('list-2', { includeAspect: true }))[0]?.aspect).toEqual({ removed: false });
    const all = await aspectsOf('list-1');
    expect(all.map(({ aspectName }) => aspectName).sort()).toEqual([...DEFAULT_ASPECTS, PROPERTIES].sort());
    expect(all.filter(({ keyAspect }) => keyAspect === true)).toHaveLength(1);
    expect(await aspectsOf('list-1', { start: 1, count: 2 })).toEqual(all.slice(1, 3));
    expect(await aspectsOf('nobody')).toEqual([]);
  });

  it('a run that changes a value owns it, and one that restates it does not', async () => {
    const urn = dataset('taken-over');
    await write('own-1', urn, PROPERTIES, described('one'));
    await write('own-2', urn, PROPERTIES, described('one'));
    expect(await runNamed('own-2')).toBeUndefined();
    await write('own-3', urn, PROPERTIES, described('two'));
    expect((await aspectsOf('own-3')).map(({ aspectName, version }) => [aspectName, version])).toEqual([
      [PROPERTIES, 2],
    ]);
    expect((await aspectsOf('own-1')).map(({ aspectName }) => aspectName)).not.toContain(PROPERTIES);
  });

  it('a rollback of a run that created an entity reports by a dry run, soft-deletes by a soft one, and does nothing the second time', async () => {
    const urn = dataset('created');
    await write('soft', urn, PROPERTIES, described('zebu'));
    await write('soft-other', urn, 'globalTags', { tags: [] });
    const planned = await rollback('soft', { dryRun: true });
    expect(planned).toMatchObject({
      entitiesAffected: 1,
      entitiesDeleted: 1,
      aspectsReverted: DEFAULT_ASPECTS.length,
      aspectsAffected: 1,
      unsafeEntitiesCount: 1,
      unsafeEntities: [{ urn }],
    });
    expect(planned.aspectRowSummaries).toEqual(await aspectsOf('soft'));
    expect((await latestOf(urn)).value).toEqual(described('zebu'));

    expect(await rollback('soft', { safe: true })).toEqual(planned);
    expect(await namesOf(urn)).toEqual(['datasetKey', 'globalTags', 'status']);
    expect((await latestOf(urn, 'status')).value).toEqual({ removed: true });
    expect(await runNamed('soft')).toBeUndefined();
    expect(await runNamed('soft-other')).toBeUndefined();
    expect(await runNamed('soft', true)).toMatchObject({ rows: 1 });
    expect((await aspectsOf('soft', { includeSoft: true })).map(({ aspectName }) => aspectName)).toEqual([
      'datasetKey',
    ]);
    expect(await rollback('soft')).toEqual({
      aspectRowSummaries: [],
      entitiesAffected: 0,
      entitiesDeleted: 0,
      aspectsReverted: 0,
      aspectsAffected: 0,
      unsafeEntitiesCount: 0,
      unsafeEntities: [],
    });

    expect(await rollback('soft', { safe: false })).toMatchObject({ entitiesDeleted: 1, aspectsReverted: 1 });
    expect((await catalog.http.aspect(urn, 'datasetKey')).status).toBe(404);
    expect(await runNamed('soft', true)).toBeUndefined();
  });

  it('the next proposal after a soft rollback brings the default aspects of the entity back', async () => {
    const urn = dataset('returning');
    await write('first', urn, PROPERTIES, described('one'));
    await rollback('first');
    expect(await namesOf(urn)).toEqual(['datasetKey', 'status']);
    await write('second', urn, 'status', { removed: false });
    expect(await namesOf(urn)).toEqual([...DEFAULT_ASPECTS, 'status'].sort());
    expect((await aspectsOf('second')).map(({ aspectName }) => aspectName).sort()).toEqual(
      [...DEFAULT_ASPECTS.filter((name) => name !== 'datasetKey'), 'status'].sort(),
    );
  });

  it('leave what another run has confirmed since; a dry run says so, and names the entities that would go nevertheless', async () => {
    const [created, changed] = [dataset('confirmed'), dataset('changed-before')];
    await write('night-0', changed, PROPERTIES, described('before'));
    await write('night-1', changed, PROPERTIES, described('wrong'));
    await write('night-1', created, PROPERTIES, described('wrong'));
    for (const urn of [changed, created]) await write('night-2', urn, PROPERTIES, described('wrong'));
    expect(at(await latestOf(changed), 'systemMetadata', 'runId')).toBe('night-2');
    const reason = 'The run night-2 has confirmed this value since; a new value or a deletion replaces it';
    const planned = await rollback('night-1', { dryRun: true });
    expect(planned).toMatchObject({
      entitiesAffected: 1,
      entitiesDeleted: 1,
      aspectsReverted: DEFAULT_ASPECTS.length - 1,
      aspectsAffected: 1,
      unsafeEntitiesCount: 1,
      unsafeEntities: [{ urn: created }],
      aspectsLeft: 2,
      left: [changed, created].map((urn) => ({ urn, aspectName: PROPERTIES, reason })),
    });
    expect((planned.aspectRowSummaries as JsonObject[]).map(({ aspectName }) => aspectName).sort()).toEqual(
      DEFAULT_ASPECTS,
    );
    expect(await rollback('night-1')).toEqual(planned);
    for (const urn of [changed, created]) expect((await latestOf(urn)).value).toEqual(described('wrong'));
    expect((await latestOf(created, 'status')).value).toEqual({ removed: true });
    expect(await rollback('night-2')).toMatchObject({ aspectsReverted: 0, entitiesDeleted: 0 });
  });

  it('a hard rollback of a run that created an entity deletes it with what others confirmed, and a dry run warns of it', async () => {
    const urn = dataset('confirmed-hard');
    await write('hard-1', urn, PROPERTIES, described('a'));
    await write(undefined, urn, PROPERTIES, described('a'));
    const planned = await rollback('hard-1', { dryRun: true, safe: false });
    expect(planned).toMatchObject({
      entitiesDeleted: 1,
      aspectsReverted: DEFAULT_ASPECTS.length + 1,
      unsafeEntities: [{ urn }],
    });
    expect(planned).not.toHaveProperty('left');
    expect(await rollback('hard-1', { safe: false })).toEqual(planned);
    expect((await catalog.http.aspect(urn, PROPERTIES)).status).toBe(404);
  });

  it('a hard rollback of a run that created an entity deletes it, including writes of other runs', async () => {
    for (const [runId, flags] of [
      ['hard', { safe: false }],
      ['hard-old', { hardDelete: true }],
    ] as const) {
      const urn = dataset(runId);
      await write(runId, urn, PROPERTIES, described('gone'));
      await write(undefined, urn, 'globalTags', { tags: [] });
      const planned = await rollback(runId, { dryRun: true, ...flags });
      expect(planned).toMatchObject({
        entitiesDeleted: 1,
        aspectsReverted: DEFAULT_ASPECTS.length + 1,
        aspectsAffected: 1,
      });
      expect(await rollback(runId, flags)).toEqual(planned);
      expect(await namesOf(urn)).toEqual(['datasetKey']);
      expect((await catalog.http.aspect(urn, 'datasetKey')).status).toBe(404);
    }
  });

  it('runs that changed an aspect restore it, with its origin, as a new version', async () => {
    const urn = dataset('changed');
    await write('base', urn, PROPERTIES, described('one'));
    await write('change', urn, PROPERTIES, described('two'));
    await write('change', urn, PROPERTIES, described('three'));
    await write('change', urn, 'globalTags', { tags: [] });
    expect(await rollback('change')).toMatchObject({
      entitiesAffected: 1,
      entitiesDeleted: 0,
      aspectsReverted: 2,
      unsafeEntitiesCount: 0,
    });
    const latest = await latestOf(urn);
    expect([
      latest.value,
      at(latest, 'systemMetadata', 'runId'),
      at(latest, 'systemMetadata', 'version'),
    ]).toEqual([described('one'), 'base', '4']);
    expect(await namesOf(urn)).not.toContain('globalTags');
    expect((await aspectsOf('base')).map(({ aspectName }) => aspectName)).toContain(PROPERTIES);
    expect(await runNamed('change')).toBeUndefined();
  });

  it('runs that wrote in turns are rolled back one after another, and none of their values returns', async () => {
    const urn = dataset('turns');
    await write(undefined, urn, PROPERTIES, described('by hand'));
    await write('turn-a', urn, PROPERTIES, described('a'));
    await write('turn-b', urn, PROPERTIES, described('b'));
    await write('turn-c', urn, PROPERTIES, described('c'));
    const restored: JsonValue[] = [];
    for (const runId of ['turn-c', 'turn-b', 'turn-a']) {
      await rollback(runId);
      restored.push((await latestOf(urn)).value ?? null);
    }
    expect(restored).toEqual([described('b'), described('a'), described('by hand')]);
    expect(
      (await listed(true)).filter(({ runId }) => ['turn-a', 'turn-b', 'turn-c'].includes(runId as string)),
    ).toEqual([]);
  });

  it('runs that restated a value leave it to the run that owns it', async () => {
    const urn = dataset('back-and-forth');
    await write('first', urn, PROPERTIES, described('x'));
    await write('last', urn, PROPERTIES, described('y'));
    await write('last', urn, PROPERTIES, described('x'));
    expect(await rollback('last')).toMatchObject({ aspectsReverted: 1 });
    expect((await latestOf(urn)).value).toEqual(described('x'));
    expect(await runNamed('last')).toBeUndefined();
    expect((await aspectsOf('first')).map(({ aspectName }) => aspectName)).toContain(PROPERTIES);
  });

  it('do not restore values that were deleted before them', async () => {
    const urn = dataset('deleted-before');
    await write('before', urn, PROPERTIES, described('one'));
    await write('before', urn, 'globalTags', { tags: [] });
    await catalog.http.ingest({
      urn,
      aspectName: PROPERTIES,
      value: '',
      members: { changeType: 'DELETE', aspect: undefined },
    });
    await write('after', urn, PROPERTIES, described('two'));
    await rollback('after');
    expect(await namesOf(urn)).not.toContain(PROPERTIES);
  });

  it('runs that are rolled back lose their timeseries values, unless others have replaced them', async () => {
    const urn = dataset('profiled');
    await write('owner-of-profiled', urn, PROPERTIES, described('one'));
    const measure = (runId: string, day: number, rowCount: number) =>
      write(runId, urn, 'datasetProfile', { timestampMillis: day * 86_400_000, rowCount });
    for (const day of [1, 2, 3]) await measure('profiler', day, 10 + day);
    await measure('other-profiler', 2, 22);
    await measure('other-profiler', 4, 24);
    const readRows = async (): Promise<unknown> => {
      const body = stringifyJson({ urn, entity: 'dataset', aspect: 'datasetProfile' });
      const { json } = await catalog.http.post('/aspects?action=getTimeseriesAspectValues', body);
      return (at(json, 'value', 'values') as readonly JsonValue[]).map((each) => at(each, 'aspect', 'value'));
    };
    expect(await rollback('profiler', { dryRun: true })).toMatchObject({ timeseriesRows: 2 });
    expect(await readRows()).toHaveLength(4);
    expect(await rollback('profiler')).toMatchObject({ timeseriesRows: 2, aspectsReverted: 0 });
    expect(await readRows()).toEqual([
      '{"rowCount":24,"timestampMillis":345600000}',
      '{"rowCount":22,"timestampMillis":172800000}',
    ]);
    expect(Object.keys(await rollback('profiler'))).not.toContain('timeseriesRows');
    expect(await namesOf(urn)).toContain(PROPERTIES);
  });

  it('a write drops a property that a client has copied from a restored version', async () => {
    const urn = dataset('copied');
    await write('mark-1', urn, PROPERTIES, described('one'));
    await write('mark-2', urn, PROPERTIES, described('two'));
    await rollback('mark-2');
    const { systemMetadata } = await latestOf(urn);
    const properties = at(systemMetadata, 'properties') as JsonObject;
    expect(properties).toMatchObject({ restoredVersion: '1', restoredAs: '3' });
    await write(undefined, urn, PROPERTIES, described('by hand'));
    await catalog.http.ingest({
      urn,
      aspectName: PROPERTIES,
      value: described('copy'),
      members: { systemMetadata: { runId: 'mark-3', properties: { ...properties, mine: 'x' } } },
    });
    expect(at((await latestOf(urn)).systemMetadata, 'properties')).toEqual({ mine: 'x' });
    await rollback('mark-3');
    expect((await latestOf(urn)).value).toEqual(described('by hand'));
  });

  it('a rollback keeps concurrent writes of other runs', async () => {
    const urns = Array.from({ length: 150 }, (_, n) => dataset(`raced-${String(n)}`));
    await Promise.all(urns.map((urn) => write(undefined, urn, PROPERTIES, described('before'))));
    await Promise.all(urns.map((urn) => write('raced', urn, PROPERTIES, described('of the run'))));
    const [answer] = await Promise.all([
      rollback('raced'),
      ...urns.map((urn) => write('winner', urn, PROPERTIES, described(`after ${urn}`))),
    ]);
    expect((answer.aspectsReverted as number) + ((answer.aspectsLeft as number | undefined) ?? 0)).toBe(
      answer.entitiesAffected,
    );
    for (const left of (answer.left as JsonObject[] | undefined) ?? []) {
      expect(left).toMatchObject({
        aspectName: PROPERTIES,
        reason: expect.stringContaining('Expected version 2'),
      });
    }
    const values = await Promise.all(urns.map(async (urn) => (await latestOf(urn)).value));
    expect(values).toEqual(urns.map((urn) => described(`after ${urn}`)));
    expect(await runNamed('raced')).toBeUndefined();
    expect(await runNamed('winner')).toMatchObject({ rows: urns.length });
  });

  it('may have written without waiting, and of many entities', async () => {
    const urns = Array.from({ length: 120 }, (_, n) => dataset(`many-${String(n)}`));
    for (const urn of urns) await write('many', urn, PROPERTIES, described('x'), { async: 'true' });
    const rows = urns.length * (DEFAULT_ASPECTS.length + 1);
    await until(async () => (await runNamed('many'))?.rows === rows);
    const answer = await rollback('many', { safe: false });
    expect(answer).toMatchObject({
      entitiesAffected: urns.length,
      entitiesDeleted: urns.length,
      aspectsReverted: rows,
      aspectsAffected: 0,
    });
    expect(answer.aspectRowSummaries).toHaveLength(100);
    expect(await runNamed('many', true)).toBeUndefined();
    expect((await catalog.http.aspect(urns[77] ?? '', 'datasetKey')).status).toBe(404);
  });

  it('are rolled back by a task, which the answer names', async () => {
    await write('by-task', dataset('by-task'), PROPERTIES, described('x'));
    const planned = await call('rollback', { runId: 'by-task', dryRun: true });
    expect(planned.headers['x-stratalog-task']).toBeUndefined();
    const answer = await call('rollback', { runId: 'by-task', dryRun: false });
    const id = Number(answer.headers['x-stratalog-task']?.split(':')[1]);
    const task = await catalog.deps.tasks.read(id);
    const rows = DEFAULT_ASPECTS.length + 1;
    expect(task).toMatchObject({
      kind: 'rollback-run',
      state: 'completed',
      actor: 'urn:li:corpuser:unknown',
      parameters: { runId: 'by-task', isHard: false },
      progress: { done: rows, total: rows },
      outcome: at(answer.json, 'value'),
    });
  });

  it('are rolled back once, however many callers ask at once, and the calls are recorded', async () => {
    const parameters = { runId: 'twice', isHard: false };
    await write('twice', dataset('twice'), PROPERTIES, described('x'));
    const answers = await Promise.all(
      [1, 2].map(() => call('rollback', { runId: parameters.runId, dryRun: false })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await runNamed('twice')).toBeUndefined();
    const { audit } = catalog.deps;
    const [record] = await audit.list({ call: 'POST /runs rollback', limit: 1 });
    expect(record).toMatchObject({ outcome: 'done', parameters: { runId: 'twice', dryRun: false } });
  });

  it('appear in their reports', async () => {
    const request = 'urn:li:dataHubExecutionRequest:reported';
    await write(undefined, request, 'dataHubExecutionRequestResult', { status: 'SUCCESS', durationMs: 5 });
    await write('reported', dataset('reported'), PROPERTIES, described('x'));
    await rollback('reported', { dryRun: true });
    expect((await latestOf(request, 'dataHubExecutionRequestResult')).value).toMatchObject({
      status: 'SUCCESS',
    });
    await rollback('reported');
    expect((await latestOf(request, 'dataHubExecutionRequestResult')).value).toEqual({
      status: 'ROLLED_BACK',
      durationMs: 5,
    });
  });

  it.each([
    ['describe', { start: 0, count: 1 }, "Parameter 'runId' is required"],
    ['describe', { runId: 'a', count: 1 }, "Parameter 'start' is required"],
    ['describe', { runId: 'a', start: 0 }, "Parameter 'count' is required"],
    ['describe', { runId: 'a', start: 0, count: 10_001 }, '/count'],
    ['describe', { runId: 'no-run-id-provided', start: 0, count: 1 }, 'no such run'],
    ['describe', { runId: 'a\u0000b', start: 0, count: 1 }, 'NUL character'],
    ['describe', { runId: 7, start: 0, count: 1 }, '/runId'],
    ['list', { pageSize: -1 }, '/pageSize'],
    ['list', { pageOffset: 'x' }, '/pageOffset'],
    ['list', { includeSoft: 'maybe' }, '/includeSoft'],
    ['rollback', { dryRun: true }, "Parameter 'runId' is required"],
    ['rollback', { runId: 'a' }, "Parameter 'dryRun' is required"],
    ['rollback', { runId: 'a', dryRun: null }, "Parameter 'dryRun' is required"],
    ['rollback', { runId: 'a', dryRun: false, safe: true, hardDelete: true }, "'safe' alone"],
    ['rollback', { runId: 'no-run-id-provided', dryRun: false }, 'no such run'],
    ['rollback', { runId: 'x'.repeat(300), dryRun: false }, 'longer than 256 bytes'],
    ['stop', {}, 'not supported'],
  ] as const)('%s of %j is rejected', async (action, body, message) => {
    const answer = await call(action, body);
    expect([answer.status, at(answer.json, 'message')]).toEqual([400, expect.stringContaining(message)]);
  });

  it('runs with too long an id are rejected when they write', async () => {
    const answer = await catalog.http.ingest({
      urn: dataset('long-run'),
      aspectName: PROPERTIES,
      value: described('x'),
      members: { systemMetadata: { runId: 'x'.repeat(257) } },
    });
    expect([answer.status, at(answer.json, 'message')]).toEqual([
      400,
      expect.stringContaining('/proposal/systemMetadata/runId :: is longer than 256 bytes of UTF-8'),
    ]);
    expect((await catalog.http.aspect(dataset('long-run'), 'datasetKey')).status).toBe(404);
  });
});

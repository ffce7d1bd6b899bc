import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { RetentionPolicies, retentionTask } from '@stratalog/retention';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const DAY_MS = 86_400_000;

interface PassOptions {
  readonly after?: string;
  readonly stepMs?: number;
  readonly onStep?: (step: Awaited<ReturnType<ReturnType<typeof retentionTask>['step']>>) => void;
}

describe('Retention', () => {
  const catalog = catalogForSuite();
  const tag = (name: string): string => `urn:li:tag:${name}`;
  const write = async (urn: string, from: number, to: number): Promise<void> => {
    for (let n = from; n <= to; n++) {
      await catalog.http.write(urn, 'tagProperties', { name: `n${String(n)}` });
    }
  };
  const setPolicy = async (key: string, retention: JsonOutputObject): Promise<void> => {
    await catalog.http.write(`urn:li:dataHubRetention:(${key})`, 'dataHubRetentionConfig', { retention });
  };
  const listVersions = async (urn: string): Promise<JsonValue> => {
    const { json } = await catalog.http.get(`/aspects/${urn}?aspect=tagProperties&count=1000`);
    return json;
  };
  const kept = async (urn: string): Promise<unknown[]> =>
    (at(await listVersions(urn), 'versions') as JsonObject[])
      .filter(({ aspect }) => aspect !== undefined)
      .map(({ version }) => version);
  /** Runs the task of a retention pass this many days from now, or from an aspect on; reports each step. */
  const passIn = async (
    days: number,
    { after, stepMs, onStep }: PassOptions = {},
  ): Promise<JsonObject | undefined> => {
    const { deps } = catalog;
    const clock = { now: () => deps.clock.now() + days * DAY_MS };
    const { store, registry, retentionStore, retention } = deps;
    const { urnNamespace } = registry;
    const policies = new RetentionPolicies({ store, urnNamespace, fallback: retention.fallback });
    const timing = stepMs === undefined ? {} : { stepMs };
    const kind = retentionTask({ ...retention, ...timing, store: retentionStore, policies, clock });
    const { signal } = new AbortController();
    const context = { id: 0, parameters: {}, actor: 'urn:li:corpuser:tester', workedMs: 0, signal };
    let at = await kind.start(context);
    if (after !== undefined)
      at = { ...at, checkpoint: { ...at.checkpoint, after: { urn: after, aspectName: '' } } };
    for (;;) {
      const step = await kind.step(context, at);
      onStep?.(step);
      if (step.kind === 'completed') return step.outcome;
      if (step.kind !== 'next') return undefined;
      at = step;
    }
  };
  const applyRetention = (parameters: JsonOutputObject) =>
    catalog.http.post('/entities?action=applyRetention', stringifyJson(parameters));

  it('keeps the last 100 versions and those of the last 90 days by default', async () => {
    const urn = tag('many');
    await write(urn, 1, 103);
    expect(await kept(urn)).toHaveLength(103);
    await passIn(89);
    expect(await kept(urn)).toHaveLength(103);
    expect(await passIn(91)).toMatchObject({ cut: 1, versions: 3 });
    const left = await kept(urn);
    expect([left.length, left[0]]).toEqual([100, 103]);
  });

  it('ends a step in time, and continues the same aspect with the next one', async () => {
    const urn = tag('many');
    await setPolicy('tag,tagProperties', {});
    await write(urn, 104, 110);
    await setPolicy('tag,tagProperties', { version: { maxVersions: 1 } });
    const steps: unknown[] = [];
    const pass = await passIn(0, {
      after: urn,
      stepMs: 0,
      onStep: (step) => {
        const checkpoint = step.kind === 'wait' ? undefined : step.checkpoint;
        steps.push([step.kind, checkpoint?.cut, checkpoint?.versions]);
      },
    });
    expect(steps).toEqual([
      ['next', 1, 100],
      ['completed', undefined, undefined],
    ]);
    expect(pass).toEqual({ aspects: expect.any(Number), cut: 1, versions: 106 });
    expect(await kept(urn)).toEqual([110]);
    await setPolicy('tag,tagProperties', {});
  });

  it('applies a policy with the next write of an aspect, and reports purged versions', async () => {
    const urn = tag('few');
    await write(urn, 1, 4);
    const before = at(await listVersions(urn), 'versions') as JsonObject[];
    const times = before.map(({ created }) => at(created, 'time') as number);
    await setPolicy('tag,tagProperties', { version: { maxVersions: 2 } });
    expect(await kept(urn)).toEqual([4, 3, 2, 1]);
    await write(urn, 5, 5);
    expect(await kept(urn)).toEqual([5, 4]);

    expect(await listVersions(urn)).toMatchObject({
      oldestVersion: 1,
      newestVersion: 5,
      truncatedUpTo: 3,
      isCut: true,
    });
    const range = at(await listVersions(urn), 'versions') as JsonObject[];
    expect(range.map(({ isErased }) => isErased)).toEqual([undefined, undefined, true, true, true]);
    for (const version of ['3', '-3']) {
      const { status, json } = await catalog.http.get(
        `/aspects/${urn}?aspect=tagProperties&version=${version}`,
      );
      expect([status, at(json, 'message')]).toEqual([
        404,
        `Did not find urn: ${urn} aspect: tagProperties version: ${version}; it was purged by retention, as were all versions up to 3`,
      ]);
    }
    const missing = await catalog.http.get(`/aspects/${urn}?aspect=tagProperties&version=9`);
    expect(at(missing.json, 'message')).toBe(`Did not find urn: ${urn} aspect: tagProperties version: 9`);

    const asOf = await catalog.http.get(`/aspects/${urn}?aspect=tagProperties&asOf=${String(times[1])}`);
    expect([asOf.status, at(asOf.json, 'message')]).toEqual([
      404,
      expect.stringContaining('its value of that time is not kept any more'),
    ]);
    const { json } = await catalog.http.get(`/entitiesV2/${urn}/timeline?aspects=tagProperties`);
    const changes = at(json, 'changes') as JsonObject[];
    expect(changes.map(({ version, isCut }) => [version, isCut])).toEqual([
      [5, undefined],
      [4, true],
      [3, true],
      [2, true],
      [1, true],
    ]);
  });

  it('is applied at once on request, to a page of aspects or to one entity', async () => {
    const [one, other] = [tag('asked-1'), tag('asked-2')];
    await setPolicy('tag,tagProperties', {});
    for (const urn of [one, other]) await write(urn, 1, 5);
    await setPolicy('tag,tagProperties', { version: { maxVersions: 3 } });
    const answer = await applyRetention({ urn: one, aspectName: 'tagProperties' });
    expect([answer.status, at(answer.json, 'value')]).toEqual([
      200,
      `{args={start=0, count=100, attemptWithVersion=2, aspectName=tagProperties, urn=${one}}, result={aspects=1, cut=1, versions=2}}`,
    ]);
    expect([await kept(one), await kept(other)]).toEqual([
      [5, 4, 3],
      [5, 4, 3, 2, 1],
    ]);
    expect(at((await applyRetention({ count: 0 })).json, 'value')).toContain('aspects=0');
    const rest = await applyRetention({ count: 10_000, aspectName: 'tagProperties' });
    expect(rest.status).toBe(200);
    expect(await kept(other)).toEqual([5, 4, 3]);
    expect(at((await applyRetention({ count: 10_000 })).json, 'value')).toContain('cut=0, versions=0');
  });

  it.each([
    [{ count: -1 }, '/count :: -1 is not an integer from 0 to 10000'],
    [{ count: 10_001 }, '/count :: 10001 is not an integer from 0 to 10000'],
    [{ start: 'x' }, '/start :: "x" is not an integer'],
    [{ urn: 'tag' }, "Parameter 'urn'"],
    [{ urn: 'urn:li:nothing:a' }, 'unknown entity type nothing'],
    [{ aspectName: 'nothing' }, 'no entity type has an aspect nothing'],
  ])('rejects %j', async (parameters, reason) => {
    const { status, json } = await applyRetention(parameters);
    expect([status, at(json, 'message')]).toEqual([400, expect.stringContaining(reason)]);
  });

  it.each([
    [{ version: { maxVersions: 0 } }, '/retention/version/maxVersions :: 0 is not greater than 0'],
    [{ time: { maxAgeInSeconds: -5 } }, '/retention/time/maxAgeInSeconds :: -5 is not greater than 0'],
  ])('rejects the policy %j', async (retention, reason) => {
    const { status, json } = await catalog.http.ingest({
      urn: 'urn:li:dataHubRetention:(*,*)',
      aspectName: 'dataHubRetentionConfig',
      value: { retention },
    });
    expect([status, at(json, 'message')]).toEqual([422, expect.stringContaining(reason)]);
  });

  it('continues an interrupted pass after the last aspect that it checked', async () => {
    const [before, urn] = [tag('already'), tag('broken-off')];
    await setPolicy('tag,tagProperties', {});
    for (const each of [before, urn]) await write(each, 1, 4);
    await setPolicy('tag,tagProperties', { version: { maxVersions: 1 } });
    expect(await passIn(201, { after: urn })).toBeDefined();
    expect([await kept(before), await kept(urn)]).toEqual([[4, 3, 2, 1], [4]]);
  });

  it('never purges a current value, nor changes a version number', async () => {
    const urn = tag('latest');
    await write(urn, 1, 3);
    const read = async (): Promise<unknown> =>
      at((await catalog.http.entity(urn)).json, 'aspects', 'tagProperties', 'value', 'name');
    expect([await read(), await kept(urn)]).toEqual(['n3', [3]]);
    await write(urn, 4, 4);
    expect([await read(), await kept(urn)]).toEqual(['n4', [4]]);
  });
});

import { afterEach, expect, it } from '@jest/globals';
import {
  isJsonObject,
  stringifyJson,
  type JsonObject,
  type JsonOutputObject,
  type JsonValue,
} from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { ServedCatalog } from '../testing/catalog/booted-catalog';
import { expectRejection } from '../testing/catalog/wire-case';

const ACTOR = 'urn:li:corpuser:__datahub_tests';
const UNOWNED = 'urn:li:tag:unowned';
const OWNED = { property: 'ownership.owners.owner', operator: 'exists' };
const MARKED = { property: 'globalTags.tags.tag', operator: 'equals', value: UNOWNED };
const ADD_TAG: JsonOutputObject = { type: 'ADD_TAGS', values: [UNOWNED] };
const OWNER = { owner: 'urn:li:corpuser:jdoe', type: 'DATAOWNER' };

interface Definition {
  readonly rules: JsonOutputObject;
  readonly actions: JsonOutputObject;
}

/** Actions of metadata tests, on a catalog whose operators have this token. */
export function actionsSuite(catalog: ServedCatalog, token: Record<string, string>): void {
  let count = 0;
  const newTable = async (): Promise<string> => {
    const urn = `urn:li:dataset:(urn:li:dataPlatform:hive,acted${String(++count)},PROD)`;
    await catalog.http.write(urn, 'datasetProperties', {});
    return urn;
  };
  const toInfo = ({ rules, actions }: Definition): JsonOutputObject => ({
    name: 'A test with actions',
    category: 'Ownership',
    definition: { type: 'JSON', json: stringifyJson({ on: { types: ['dataset'] }, rules, actions }) },
  });
  const newTest = async (definition: Definition): Promise<string> => {
    const urn = `urn:li:test:acting${String(++count)}`;
    await catalog.http.write(urn, 'testInfo', toInfo(definition));
    made.push(urn);
    return urn;
  };
  /** Takes the actions of a test away, so that it meets no test that is evaluated later. */
  const retire = (test: string): Promise<unknown> =>
    catalog.http.write(test, 'testInfo', toInfo({ rules: OWNED, actions: {} }));
  const made: string[] = [];
  afterEach(async () => {
    for (const test of made.splice(0)) {
      // A deleted one stays deleted.
      if ((await catalog.http.aspect(test, 'testInfo')).status === 200) await retire(test);
    }
  });
  const evaluate = async (parameters: JsonOutputObject): Promise<JsonObject> => {
    const answer = await catalog.http.post('/test?action=evaluate', stringifyJson(parameters), token);
    if (answer.status !== 200) throw new Error(answer.body);
    const value = at(answer.json, 'value');
    return isJsonObject(value) ? value : {};
  };
  const push = (urn: string, ...tests: readonly string[]): Promise<JsonObject> =>
    evaluate({ urn, tests, push: true, explain: true });
  const readAspect = async (urn: string, name: string): Promise<JsonValue | undefined> =>
    at((await catalog.http.entity(urn)).json, 'aspects', name);
  const readTags = async (urn: string): Promise<JsonValue> =>
    at(await readAspect(urn, 'globalTags'), 'value', 'tags') ?? [];
  const ofTest = (test: string, more: JsonOutputObject = {}): JsonOutputObject => ({
    tag: UNOWNED,
    attribution: { time: expect.any(Number) as unknown as number, actor: ACTOR, source: test, ...more },
  });
  const MARK = { sourceDetail: { takeBack: 'true' } };
  const patched = (test: string): JsonOutputObject => ({
    action: '/actions/failing/0',
    aspect: 'globalTags',
    patch: [{ op: 'add', path: `/tags/${UNOWNED}/${test}`, value: ofTest(test) }],
  });
  const findDetail = (evaluated: JsonObject, test: string): JsonValue | undefined =>
    (evaluated.details as readonly JsonValue[]).find((detail) => at(detail, 'test') === test);

  it('actions write with the result that calls for them, as an actor and a run of their own', async () => {
    const urn = await newTable();
    const test = await newTest({ rules: OWNED, actions: { failing: [ADD_TAG] } });
    expect(findDetail(await push(urn, test), test)).toMatchObject({
      outcome: 'failing',
      patches: [patched(test)],
    });
    expect(await readAspect(urn, 'globalTags')).toMatchObject({
      value: { tags: [ofTest(test)] },
      created: { actor: ACTOR },
    });
    const { json } = await catalog.http.post(
      '/runs?action=describe',
      stringifyJson({ runId: test, start: 0, count: 10 }),
      token,
    );
    expect(at(json, 'value')).toEqual([expect.objectContaining({ urn, aspectName: 'globalTags' })]);
  });

  it('actions are listed by a dry run, which writes nothing', async () => {
    const urn = await newTable();
    const test = await newTest({ rules: OWNED, actions: { failing: [ADD_TAG] } });
    const answer = await evaluate({ urn, tests: [test], push: true, dryRun: true });
    expect(answer.failing).toEqual([{ test, type: 'FAILURE' }]);
    expect(findDetail(answer, test)).toMatchObject({ outcome: 'failing', patches: [patched(test)] });
    expect(await readAspect(urn, 'globalTags')).toBeUndefined();
    expect(await readAspect(urn, 'testResults')).toBeUndefined();
  });

  it('actions run on a new outcome only, and what they added is taken back when asked', async () => {
    const urn = await newTable();
    const actions = {
      failing: [{ ...ADD_TAG, takeBack: true }],
      passing: [{ type: 'DEPRECATE', note: 'Owned' }],
    };
    const test = await newTest({ rules: OWNED, actions });
    await push(urn, test);
    expect(await readTags(urn)).toEqual([ofTest(test, MARK)]);
    // A user takes the tag away, and adds another one: the test still fails, and leaves that alone.
    const others = [{ tag: 'urn:li:tag:other' }];
    await catalog.http.write(urn, 'globalTags', { tags: others });
    await push(urn, test);
    expect(await readTags(urn)).toEqual(others);
    // The outcome changes to and fro.
    await catalog.http.write(urn, 'ownership', { owners: [OWNER] });
    await push(urn, test);
    expect([await readTags(urn), at(await readAspect(urn, 'deprecation'), 'value')]).toEqual([
      others,
      { deprecated: true, note: 'Owned', actor: ACTOR },
    ]);
    await catalog.http.write(urn, 'ownership', { owners: [] });
    await push(urn, test);
    expect(await readTags(urn)).toEqual([...others, ofTest(test, MARK)]);
    await catalog.http.write(urn, 'ownership', { owners: [OWNER] });
    const passed = await push(urn, test);
    expect(findDetail(passed, test)).toMatchObject({
      outcome: 'passing',
      patches: [{ action: '/actions/failing/0', takesBack: true }],
    });
    expect(await readTags(urn)).toEqual(others);
  });

  it('actions run again when the definition changes', async () => {
    const urn = await newTable();
    const test = await newTest({ rules: OWNED, actions: {} });
    await push(urn, test);
    await catalog.http.write(test, 'testInfo', toInfo({ rules: OWNED, actions: { failing: [ADD_TAG] } }));
    await push(urn, test);
    expect(await readTags(urn)).toEqual([ofTest(test)]);
  });

  it('actions with takeBack are taken back when they leave the definition, and when the test is deleted', async () => {
    const urn = await newTable();
    const tag = { ...ADD_TAG, takeBack: true };
    const failing = [tag, { type: 'DEPRECATE', note: 'Unowned', takeBack: true }];
    const kept = [{ type: 'ADD_TAGS', values: ['urn:li:tag:kept'] }];
    const edited = await newTest({ rules: OWNED, actions: { failing: [...kept, ...failing] } });
    const deprecated = async (): Promise<JsonValue | undefined> =>
      at(await readAspect(urn, 'deprecation'), 'value', 'deprecated');
    const namesOf = async (): Promise<readonly unknown[]> =>
      ((await readTags(urn)) as readonly JsonObject[]).map((each) => each.tag);
    await push(urn, edited);
    expect([await namesOf(), await deprecated()]).toEqual([['urn:li:tag:kept', UNOWNED], true]);
    await retire(edited);
    expect(findDetail(await push(urn, edited), edited)).toMatchObject({
      patches: expect.arrayContaining([
        expect.objectContaining({ action: '/actions', takesBack: true }),
      ]) as unknown,
    });
    expect([await namesOf(), await deprecated()]).toEqual([['urn:li:tag:kept'], false]);

    const [gone, other] = [
      await newTest({ rules: OWNED, actions: { failing } }),
      await newTest({ rules: OWNED, actions: { failing: [tag] } }),
    ];
    await push(urn, gone);
    await push(urn, other);
    expect(await namesOf()).toEqual(['urn:li:tag:kept', UNOWNED]);
    const body = stringifyJson({ urn: gone });
    expect((await catalog.http.post('/entities?action=delete', body, token)).status).toBe(200);
    const planned = await evaluate({ urn, tests: [gone], dryRun: true });
    expect(findDetail(planned, gone)).toMatchObject({
      outcome: 'unknown',
      patches: [{ takesBack: true }, {}],
    });
    await push(urn, gone);
    expect(await deprecated()).toBe(false);
    // The other test still says the tag, and has found it there before.
    expect(await readTags(urn)).toEqual([
      expect.objectContaining({ tag: 'urn:li:tag:kept' }),
      expect.objectContaining({
        tag: UNOWNED,
        attribution: expect.objectContaining({ source: other }) as unknown,
      }),
    ]);
    await retire(other);
    await push(urn, other);
    expect(await namesOf()).toEqual(['urn:li:tag:kept']);
  });

  it('actions of a test with a new name stay, and are taken back when the outcome changes', async () => {
    const urn = await newTable();
    const definition = { rules: OWNED, actions: { failing: [{ ...ADD_TAG, takeBack: true }] } };
    const test = await newTest(definition);
    await push(urn, test);
    const before = await readAspect(urn, 'globalTags');
    expect(await readTags(urn)).toEqual([ofTest(test, MARK)]);
    await catalog.http.write(test, 'testInfo', { ...toInfo(definition), name: 'Another name' });
    await push(urn, test);
    expect(await readAspect(urn, 'globalTags')).toEqual(before);
    await catalog.http.write(urn, 'ownership', { owners: [OWNER] });
    await push(urn, test);
    expect(await readTags(urn)).toEqual([]);
  });

  it('actions are taken back by a rollback of the test as a run', async () => {
    const urn = await newTable();
    await catalog.http.write(urn, 'globalTags', { tags: [{ tag: 'urn:li:tag:other' }] });
    const test = await newTest({ rules: OWNED, actions: { failing: [ADD_TAG] } });
    await push(urn, test);
    const body = stringifyJson({ runId: test, dryRun: false });
    expect((await catalog.http.post('/runs?action=rollback', body, token)).status).toBe(200);
    expect(await readTags(urn)).toEqual([{ tag: 'urn:li:tag:other' }]);
  });

  it('actions that change their own outcome back and forth are not run, which the outcome and the results say', async () => {
    const urn = await newTable();
    const test = await newTest({ rules: MARKED, actions: { failing: [{ ...ADD_TAG, takeBack: true }] } });
    const stopped = 'its actions change its own outcome back and forth';
    expect(findDetail(await evaluate({ urn, tests: [test], dryRun: true }), test)).toMatchObject({ stopped });
    expect(findDetail(await push(urn, test), test)).toMatchObject({ outcome: 'failing', stopped });
    expect(await readTags(urn)).toEqual([]);
    expect(await readAspect(urn, 'testResults')).toMatchObject({
      value: { failing: [{ test }] },
      systemMetadata: { properties: { [`stopped ${test}`]: stopped } },
    });
    await retire(test);
  });

  it('actions of two tests that fight one another are not run, also when only one of them is evaluated', async () => {
    const urn = await newTable();
    const wants = await newTest({ rules: MARKED, actions: { failing: [ADD_TAG] } });
    const rejects = await newTest({
      rules: { not: MARKED },
      actions: { failing: [{ type: 'REMOVE_TAGS', values: [UNOWNED] }] },
    });
    const detail = findDetail(await push(urn, wants), wants);
    expect(at(detail, 'stopped')).toEqual(expect.stringContaining(rejects));
    expect(await readTags(urn)).toEqual([]);
    await retire(wants);
    await retire(rejects);
  });

  it('actions lose no edits of others at the same time', async () => {
    const urn = await newTable();
    const test = await newTest({ rules: OWNED, actions: { failing: [ADD_TAG] } });
    const tags = Array.from({ length: 8 }, (_, at) => `urn:li:tag:edit${String(at)}`);
    const edit = (tag: string): Promise<unknown> =>
      catalog.http.ingest({
        urn,
        aspectName: 'globalTags',
        value: stringifyJson([{ op: 'add', path: `/tags/${tag}`, value: { tag } }]),
        members: { changeType: 'PATCH' },
      });
    await Promise.all([push(urn, test), ...tags.map(edit)]);
    const found = (await readTags(urn)) as readonly JsonObject[];
    expect(new Set(found.map(({ tag }) => tag))).toEqual(new Set([...tags, UNOWNED]));
  });

  it('actions that are wrong are rejected with their place when the test is saved', async () => {
    const actions = { failing: [{ type: 'ADD_TAGS', values: ['urn:li:tagg:a'] }] };
    const answer = await catalog.http.ingest({
      urn: 'urn:li:test:wrong-action',
      aspectName: 'testInfo',
      value: toInfo({ rules: OWNED, actions }),
    });
    expectRejection(answer, 422, '/definition/json/actions/failing/0/values/0 :: is no urn of the model');
    expectRejection(answer, 422, 'did you mean tag?');
  });
}

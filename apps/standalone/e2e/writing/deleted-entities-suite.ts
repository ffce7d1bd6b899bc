import { describe, expect, it } from '@jest/globals';
import { SeededRandom } from '@stratalog/harness';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { inParallel } from '@stratalog/concurrency';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

/** Another seed deletes in another order: `LIFE_SEED=7 LIFE_ROUNDS=50 npm test -- deleted-entities`. */
const SEED = Number(process.env.LIFE_SEED ?? 20_261_127);
const ROUNDS = Number(process.env.LIFE_ROUNDS ?? 3);
const ENTITIES = 20;
/** Calls at once, so that deletions meet writes at all their moments. */
const AT_ONCE = 24;

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const OWNED = { on: { types: ['dataset'] }, rules: { property: 'ownership.owners', operator: 'exists' } };
const TAGGING = { ...OWNED, actions: { failing: [{ type: 'ADD_TAGS', values: ['urn:li:tag:unowned'] }] } };

/** Deletions by users, while the catalog itself writes to the same entities. */
export function deletedEntitiesSuite(environment: Readonly<Record<string, string>>): void {
  const catalog = catalogForSuite({
    environment: {
      ...environment,
      STRATALOG_AUTH: 'none',
      STRATALOG_TEST_RESULTS: 'continuous',
      STRATALOG_TEST_RESULTS_EVERY_SECONDS: '1',
      STRATALOG_POPULARITY: 'strong',
      STRATALOG_POPULARITY_EVERY_SECONDS: '1',
    },
  });
  const call = (target: string, body: JsonOutputObject): Promise<Answer> =>
    catalog.http.post(target, stringifyJson(body));
  const write = async (urn: string, aspectName: string, value: JsonOutputObject, runId = 'none') => {
    const answer = await catalog.http.ingest({
      urn,
      aspectName,
      value,
      members: { systemMetadata: { runId } },
    });
    if (answer.status !== 200) throw new Error(answer.body);
  };
  const raise = async (incident: string, urn: string): Promise<void> => {
    const stamp = { time: Date.now(), actor: 'urn:li:corpuser:ann' };
    const status = { state: 'ACTIVE', lastUpdated: stamp };
    await write(incident, 'incidentInfo', { type: 'FIELD', entities: [urn], status, created: stamp });
  };
  const exists = async (urn: string): Promise<boolean> =>
    at((await call('/entities?action=exists', { urn })).json, 'value') === true;
  const remove = async (urn: string): Promise<void> => {
    const answer = await call('/entities?action=delete', { urn });
    if (answer.status !== 200) throw new Error(answer.body);
  };
  const taskEnded = async (name: string): Promise<void> => {
    const target = `/operations/tasks/${encodeURIComponent(name)}`;
    await until(async () => {
      const state = at((await catalog.http.get(target)).json, 'state');
      return ['completed', 'failed'].includes(state as string);
    });
  };
  const evaluateAll = async (urns: readonly string[]): Promise<void> => {
    const { json } = await call('/test?action=evaluateAll', { urns: [...urns] });
    await taskEnded(at(json, 'value', 'task') as string);
  };

  /** Makes entities of one run, with a test that acts on them and a dataset that they refer to. */
  const newRound = async (round: number) => {
    const [runId, test] = [`night${String(round)}`, `urn:li:test:life${String(round)}`];
    const upstream = dataset(`life${String(round)}.upstream`);
    await write(test, 'testInfo', {
      name: 'A test',
      category: 'c',
      definition: { type: 'JSON', json: stringifyJson(TAGGING) },
    });
    const urns = Array.from({ length: ENTITIES }, (_, index) =>
      dataset(`life${String(round)}.${String(index)}`),
    );
    await write(upstream, 'datasetProperties', { description: 'Orders' });
    await inParallel(urns, AT_ONCE, async (urn) => {
      await write(urn, 'datasetProperties', { description: 'Orders' }, runId);
      const upstreams = [{ dataset: upstream, type: 'TRANSFORMED' }];
      await write(urn, 'upstreamLineage', { upstreams }, runId);
      const timestampMillis = Date.now();
      await write(urn, 'datasetUsageStatistics', { timestampMillis, uniqueUserCount: 90 }, runId);
    });
    return { runId, test, upstream, urns };
  };

  describe('an entity that a user deletes', () => {
    it(`stays deleted, whatever the catalog writes at the same time (seed ${String(SEED)})`, async () => {
      const random = new SeededRandom(SEED);
      const deleted: string[] = [];
      const answers = new Set<number>();
      for (let round = 0; round < ROUNDS; round++) {
        const { runId, test, upstream, urns } = await newRound(round);
        const evaluations = urns.map((urn) => async () => {
          answers.add((await call('/test?action=evaluate', { urn, push: true })).status);
        });
        const incidents = urns.map((urn, index) => async () => {
          await raise(`urn:li:incident:life${String(round)}.${String(index)}`, urn);
        });
        const deletions = [...urns, upstream, test].map((urn) => async () => {
          await remove(urn);
          deleted.push(urn);
        });
        const others = [
          () => evaluateAll(urns),
          () => call('/runs?action=rollback', { runId, dryRun: false, safe: true }),
          () => call('/entities?action=deleteReferences', { urn: upstream, dryRun: false }),
        ];
        const actions = [...others, ...evaluations, ...evaluations, ...incidents, ...deletions]
          .map((act) => ({ act: act as () => Promise<unknown>, at: random.fraction() }))
          .sort((one, other) => one.at - other.at);
        await inParallel(actions, AT_ONCE, ({ act }) => act());
      }
      await evaluateAll(deleted);
      const returned = (
        await inParallel(deleted, AT_ONCE, async (urn) => ((await exists(urn)) ? [urn] : []))
      ).flat();
      expect({ deleted: deleted.length, returned }).toEqual({
        deleted: ROUNDS * (ENTITIES + 2),
        returned: [],
      });
      // Some evaluations came before the deletion, some after it; none failed.
      expect([...answers].sort()).toEqual([200, 404]);
    });
  });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { modelFolder } from '../testing/data/sensor-model';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const incident = (name: string): string => `urn:li:incident:${name}`;
/** Incidents of the shipped model have no `status`; with it they can be deleted softly. */
const WITH_STATUS = { 'entity-registry.yml': 'entities: [{ name: incident, aspects: [status] }]' };
const stamp = (time: number) => ({ time, actor: 'urn:li:corpuser:ann' });

/** Incidents as parts of the entities that they are about. */
export function incidentsSuite(environment: Readonly<Record<string, string>>, waitMs?: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'incidents-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const STRATALOG_MODELS = modelFolder(folder, 'model', WITH_STATUS);
  const catalog = catalogForSuite({
    environment: { ...environment, STRATALOG_AUTH: 'none', STRATALOG_MODELS },
  });
  const call = (target: string, body: JsonOutputObject): Promise<Answer> =>
    catalog.http.post(target, stringifyJson(body));
  const create = (urn: string): Promise<string> =>
    catalog.http.write(urn, 'datasetProperties', { description: 'Orders' });
  const raise = (urn: string, entities: readonly string[], state = 'ACTIVE'): Promise<string> =>
    catalog.http.write(urn, 'incidentInfo', {
      type: 'FRESHNESS',
      title: 'Orders are late',
      entities: [...entities],
      priority: 1,
      status: { state, lastUpdated: stamp(2_000) },
      created: stamp(1_000),
    });
  const find = async (query: string): Promise<readonly string[]> =>
    [...(await catalog.http.find(query)).urns].sort();
  const untilFound = (query: string, urns: readonly string[]): Promise<void> =>
    until(async () => stringifyJson(await find(query)) === stringifyJson([...urns].sort()), waitMs);
  const readSummary = async (urn: string) =>
    at((await catalog.http.aspect(urn, 'incidentsSummary')).json, 'aspect');

  describe('an incident', () => {
    const [ORDERS, SALES, LATER] = [dataset('orders'), dataset('sales'), dataset('later')];
    const LATE = incident('late');
    const DETAILS = { urn: LATE, type: 'FRESHNESS', createdAt: 1_000, priority: 1 };
    const summary = (active: JsonOutputObject[], resolved: JsonOutputObject[] = []) => ({
      'com.linkedin.common.IncidentsSummary': expect.objectContaining({
        activeIncidentDetails: active,
        resolvedIncidentDetails: resolved,
      }),
    });

    it('is found with its entities while it is open', async () => {
      await create(ORDERS);
      await create(SALES);
      await raise(LATE, [ORDERS, LATER]);
      await untilFound('hasActiveIncidents:true', [ORDERS]);
      expect(await find(`activeIncidents:"${LATE}"`)).toEqual([ORDERS]);
      expect(await find('numActiveIncidents:1')).toEqual([ORDERS]);
      expect(await readSummary(ORDERS)).toEqual(summary([DETAILS]));
      const exists = at((await call('/entities?action=exists', { urn: LATER })).json, 'value');
      expect(exists).toBe(false);
    });

    it('is found with an entity that is created after it', async () => {
      await create(LATER);
      await untilFound('hasActiveIncidents:true', [ORDERS, LATER]);
    });

    it('leaves an entity that it is no longer about, and comes to another', async () => {
      await raise(LATE, [SALES, LATER]);
      await untilFound('hasActiveIncidents:true', [SALES, LATER]);
      expect(await readSummary(ORDERS)).toEqual(summary([]));
    });

    it('stays when the search index is built anew', async () => {
      const { json } = await call('/operations?action=rebuildIndices', { index: 'search' });
      const task = encodeURIComponent(at(json, 'value', 'task') as string);
      await until(
        async () => at((await catalog.http.get(`/operations/tasks/${task}`)).json, 'state') === 'completed',
        waitMs,
      );
      expect(await find('hasActiveIncidents:true')).toEqual([LATER, SALES]);
    });

    it('is among the resolved ones once it is resolved', async () => {
      await raise(LATE, [SALES, LATER], 'RESOLVED');
      await untilFound('hasActiveIncidents:true', []);
      expect(await find('hasResolvedIncidents:true')).toEqual([LATER, SALES]);
      expect(await readSummary(SALES)).toEqual(summary([], [{ ...DETAILS, resolvedAt: 2_000 }]));
    });

    it('goes with its soft deletion, comes back with its return, and goes with its deletion', async () => {
      await raise(LATE, [SALES]);
      await untilFound('hasActiveIncidents:true', [SALES]);
      await catalog.http.write(LATE, 'status', { removed: true });
      await untilFound('hasActiveIncidents:true', []);
      await catalog.http.write(LATE, 'status', { removed: false });
      await untilFound('hasActiveIncidents:true', [SALES]);
      await call('/entities?action=delete', { urn: LATE });
      await untilFound('hasActiveIncidents:true', []);
      expect(await readSummary(SALES)).toEqual(summary([]));
    });
  });

  describe('an entity that was deleted', () => {
    it('stays deleted when its incident changes, and has its incident when a user creates it again', async () => {
      const [GONE, KEPT] = [dataset('gone'), dataset('kept')];
      await create(GONE);
      await create(KEPT);
      await raise(incident('old'), [GONE]);
      await untilFound('hasActiveIncidents:true', [GONE]);
      await call('/entities?action=delete', { urn: GONE });
      await raise(incident('old'), [GONE, KEPT]);
      await untilFound('hasActiveIncidents:true', [KEPT]);
      expect(at((await call('/entities?action=exists', { urn: GONE })).json, 'value')).toBe(false);
      await create(GONE);
      await untilFound('hasActiveIncidents:true', [GONE, KEPT]);
    });
  });

  describe('several incidents of one entity', () => {
    it('that are raised at the same time are all in its summary', async () => {
      const BUSY = dataset('busy');
      await create(BUSY);
      const names = Array.from({ length: 20 }, (_, n) => incident(`busy${String(n)}`));
      await Promise.all(names.map((urn) => raise(urn, [BUSY])));
      await untilFound(`numActiveIncidents:${String(names.length)}`, [BUSY]);
    });
  });
}

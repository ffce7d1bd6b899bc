import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { TIMESERIES_ASPECTS, connectorFiles, readConnectorRecords } from '../testing/data/connector-files';
import { asStored } from '../testing/data/connector-records';
import { columnEdgesInRecords, edgesInRecords } from '../testing/data/edges-in-records';
import { graphCaughtUp, relatedTo } from '../testing/data/relationships';
import {
  canonicalText as text,
  expectTimeseriesValueStored,
  type SentTimeseriesValue,
} from '../testing/data/stored-timeseries';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

/** Default aspects: the catalog adds them first, so that the first proposal may be their second version. */
const DEFAULTS = new Set(['dataPlatformInstance', 'browsePaths', 'browsePathsV2']);
const KEYS = new Map([
  ['corpUserKey', ['username']],
  ['chartKey', ['dashboardTool', 'chartId']],
  ['dashboardKey', ['dashboardTool', 'dashboardId']],
]);
const PROGRAM = join(import.meta.dirname, '../../../../tools/bootstrap/cli.mjs');

interface ConnectorRecord {
  readonly entityType: string;
  readonly entityUrn: string;
  readonly aspectName: string;
  readonly aspect: { readonly json: JsonObject };
}

const FILES = connectorFiles('proposals');

/** Returns the names of an entity: those in its aspects, and the last part of its key. */
function namesOf(urn: string, records: readonly ConnectorRecord[]): readonly string[] {
  const given = records
    .filter(({ entityUrn }) => entityUrn === urn)
    .flatMap(({ aspect: { json } }) => [json.name, json.title, json.displayName, json.fullName])
    .filter((name) => typeof name === 'string' && name !== '');
  const id = urn.split(':').slice(3).join(':');
  const key = /^\((?:urn:li:\w+:)?[^,]+,(.+?)(?:,[A-Z]+)?\)$/.exec(id)?.[1] ?? id;
  return [...new Set([...(given as string[]), key])];
}

describe.each(FILES)('$file', ({ file, otherKeys, timeseries, edges: known }) => {
  const catalog = catalogForSuite();
  let records: readonly ConnectorRecord[];
  const accepted: ConnectorRecord[] = [];
  const timeseriesValues: ConnectorRecord[] = [];
  const rejected: { readonly aspectName: string; readonly message: JsonValue | undefined }[] = [];

  beforeAll(async () => {
    records = readConnectorRecords(file) as unknown as readonly ConnectorRecord[];
    for (const record of records) {
      const aspect = { value: stringifyJson(record.aspect.json), contentType: 'application/json' };
      const body = stringifyJson({ proposal: { ...record, aspect } });
      const answer = await catalog.http.post('/aspects?action=ingestProposal', body);
      // Connectors send no unknown names.
      expect(answer.headers).not.toHaveProperty('x-stratalog-warnings');
      if (answer.status === 200 && TIMESERIES_ASPECTS.includes(record.aspectName)) {
        timeseriesValues.push(record);
      } else if (answer.status === 200) {
        accepted.push(record);
      } else {
        expect(answer.status).toBe(422);
        rejected.push({ aspectName: record.aspectName, message: at(answer.json, 'message') });
      }
    }
  });

  it('loads completely, and its timeseries values read back equal', async () => {
    expect(rejected).toEqual([]);
    expect(timeseriesValues).toHaveLength(timeseries);
    for (const record of timeseriesValues)
      await expectTimeseriesValueStored(catalog.http, toTimeseriesValue(record));
  });

  it('reads back equal', async () => {
    const latest = new Map(accepted.map((record) => [`${record.entityUrn} ${record.aspectName}`, record]));
    for (const { entityUrn, aspectName, aspect } of latest.values()) {
      if (KEYS.has(aspectName)) continue;
      const { json } = await catalog.http.entity(entityUrn, `?aspects=List(${aspectName})`);
      const value = at(json, 'aspects', aspectName, 'value');
      expect({ entityUrn, aspectName, value }).toEqual({
        entityUrn,
        aspectName,
        value: asStored(aspect.json),
      });
    }
  });

  it('has the key aspects of their urns, whatever was sent', async () => {
    let different = 0;
    for (const { entityUrn, aspectName, aspect } of accepted) {
      const fields = KEYS.get(aspectName);
      if (fields === undefined) continue;
      const parts = /^urn:li:\w+:\(?(.*?)\)?$/.exec(entityUrn)?.[1]?.split(',') ?? [];
      const ofUrn = Object.fromEntries(fields.map((name, index) => [name, parts[index] ?? '']));
      const { json } = await catalog.http.entity(entityUrn);
      expect(at(json, 'aspects', aspectName, 'value')).toEqual(ofUrn);
      if (text(aspect.json) !== text(ofUrn)) different++;
    }
    if (otherKeys !== undefined) expect(different).toBe(otherKeys);
  });

  it('has as many versions as it sent different values', async () => {
    const values = new Map<string, { urn: string; aspectName: string; texts: string[] }>();
    for (const { entityUrn, aspectName, aspect } of accepted) {
      const { urn = entityUrn, texts = [] } = values.get(`${entityUrn} ${aspectName}`) ?? {};
      values.set(`${entityUrn} ${aspectName}`, { urn, aspectName, texts });
      const sent = KEYS.has(aspectName) ? aspectName : text(aspect.json);
      if (texts.at(-1) !== sent) texts.push(sent);
    }
    for (const { urn, aspectName, texts } of values.values()) {
      if (DEFAULTS.has(aspectName)) {
        const { json } = await catalog.http.aspect(urn, aspectName, 1);
        const given = Object.values(at(json, 'aspect') as JsonObject)[0] ?? null;
        if (text(given) !== texts[0]) texts.unshift(text(given));
      }
      expect((await catalog.http.aspect(urn, aspectName, texts.length)).status).toBe(200);
      expect((await catalog.http.aspect(urn, aspectName, texts.length + 1)).status).toBe(404);
    }
  });

  it('has exactly the edges of its records, in both directions', async () => {
    await graphCaughtUp(catalog.http);
    const { registry } = catalog.deps;
    const types = [
      ...new Set(registry.aspects.flatMap(({ relationships }) => relationships.map(({ name }) => name))),
    ];
    const expected = edgesInRecords(accepted);
    const ends = new Map<string, Set<string>>();
    let counted = 0;
    for (const urn of new Set(accepted.map(({ entityUrn }) => entityUrn))) {
      const own = [...(expected.get(urn) ?? [])].sort();
      const { total, edges } = await relatedTo(catalog.http, { urn, types, count: 1_000 });
      expect({ urn, total, edges }).toEqual({ urn, total: own.length, edges: own });
      counted += total;
      for (const edge of own) {
        const [type = '', end = ''] = edge.split(/ (.*)/s);
        ends.set(end, (ends.get(end) ?? new Set<string>()).add(`${type} ${urn}`));
      }
    }
    if (known !== undefined) expect(counted).toBe(known);
    for (const [downstream, upstream] of columnEdgesInRecords(accepted)) {
      ends.set(upstream, (ends.get(upstream) ?? new Set<string>()).add(`DownstreamOf ${downstream}`));
    }
    for (const [urn, incoming] of ends) {
      const question = { urn, direction: 'INCOMING', types, count: 1_000 };
      expect({ urn, ...(await relatedTo(catalog.http, question)) }).toEqual({
        urn,
        total: incoming.size,
        edges: [...incoming].sort(),
      });
    }
  });

  it('is found entity by entity under its names', async () => {
    await catalog.http.caughtUp();
    const entities = new Map(accepted.map(({ entityUrn, entityType }) => [entityUrn, entityType]));
    for (const [urn, entity] of entities) {
      for (const name of namesOf(urn, accepted)) {
        const input = `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
        const found = await catalog.http.find(input, { entity, count: 200 });
        expect({ urn, name, found: found.urns.includes(urn) }).toEqual({ urn, name, found: true });
      }
    }
  });
});

describe('the timeseries values of every file', () => {
  const catalog = catalogForSuite();

  it('are loaded by the command line, and read back equal', async () => {
    const files = connectorFiles('mixed', 'timeseries', 'proposals');
    const total = files.reduce((sum, { timeseries }) => sum + timeseries, 0);
    const records = files.flatMap(({ file }) =>
      readConnectorRecords(file),
    ) as unknown as readonly ConnectorRecord[];
    const timeseriesValues = records.filter(({ aspectName }) => TIMESERIES_ASPECTS.includes(aspectName));
    expect(timeseriesValues).toHaveLength(total);
    const file = join(catalog.dataDir, 'timeseries.json');
    writeFileSync(file, stringifyJson(timeseriesValues as unknown as JsonValue[]));
    const { stdout } = await promisify(execFile)(process.execPath, [
      PROGRAM,
      'load',
      file,
      '--server',
      catalog.url,
    ]);
    expect(stdout.replaceAll(/ +/g, ' ')).toContain(`written ${String(total)}\n`);
    for (const record of timeseriesValues)
      await expectTimeseriesValueStored(catalog.http, toTimeseriesValue(record));
  });
});

function toTimeseriesValue({
  entityUrn,
  entityType,
  aspectName,
  aspect,
}: ConnectorRecord): SentTimeseriesValue {
  return { urn: entityUrn, entityType, aspectName, json: aspect.json };
}

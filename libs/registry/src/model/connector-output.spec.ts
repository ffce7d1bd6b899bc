import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { isJsonObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { checkProposal } from '../proposals/check-proposal';
import { CheckRun } from '../check/check-run';
import { requireEntityType } from '../values/require-entity-type';
import type { EntityRegistry } from './entity-registry';
import { loadModel } from './load-model';

const FOLDER = join(
  process.env.STRATALOG_CONNECTOR_DATA ?? join(import.meta.dirname, '../../../testkit/connector-data'),
  'data',
);
const MODELS = join(import.meta.dirname, '../../../../models');
const AVRO = 'com.linkedin.pegasus2avro.';

interface Tally {
  /** Accepted proposals of versioned aspects, patches included. */
  readonly proposals: number;
  /** Accepted proposals of timeseries aspects. */
  readonly timeseries: number;
  readonly snapshotAspects: number;
  /** Aspects whose stored value differs from the sent one, apart from nulls and names of union members. */
  readonly changed: Readonly<Record<string, number>>;
  /** Reasons, with the number of their occurrences. */
  readonly rejected: Readonly<Record<string, number>>;
}

const NOTHING: Tally = { proposals: 0, timeseries: 0, snapshotAspects: 0, changed: {}, rejected: {} };

/** Content of each file that a real connector wrote: accepted records, accepted aspects in snapshots, and rejections with their reasons. */
const REAL_FILES: Readonly<Record<string, Tally>> = {
  'dbt.mixed.json': { ...NOTHING, proposals: 24, snapshotAspects: 75 },
  'iceberg-profile.timeseries.json': { ...NOTHING, timeseries: 1, snapshotAspects: 4 },
  'kafka.mixed.json': { ...NOTHING, proposals: 10, snapshotAspects: 14 },
  'looker.mixed.json': { ...NOTHING, proposals: 15, snapshotAspects: 15 },
  'mlflow.proposals.json': { ...NOTHING, proposals: 13 },
  'postgres.mixed.json': { ...NOTHING, proposals: 19, timeseries: 1, snapshotAspects: 6 },
  // The keys of users, charts and dashboards contradict their urns, which win.
  'powerbi.proposals.json': {
    ...NOTHING,
    proposals: 101,
    changed: { chartKey: 2, corpUserKey: 4, dashboardKey: 2 },
  },
  'sagemaker.mixed.json': { ...NOTHING, proposals: 55, snapshotAspects: 78 },
  'snowflake.proposals.json': { ...NOTHING, proposals: 110, timeseries: 32 },
  'tableau.mixed.json': { ...NOTHING, proposals: 271, timeseries: 2, snapshotAspects: 217 },
  'trino-usage.timeseries.json': { ...NOTHING, proposals: 1, timeseries: 1 },
};

/** The stored form: without nulls, and with the model's names of union members instead of Avro's. */
function canonical(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(
    members.map(([name, inner]): [string, JsonValue] => [
      name.replace(AVRO, 'com.linkedin.'),
      canonical(inner),
    ]),
  );
}

function toText(record: JsonObject, member: string): string {
  const text = record[member];
  return typeof text === 'string' ? text : '';
}

class Counting {
  proposals = 0;
  timeseries = 0;
  snapshotAspects = 0;
  readonly changed: Record<string, number> = {};
  readonly rejected: Record<string, number> = {};

  constructor(private readonly registry: EntityRegistry) {}

  count(record: JsonObject): void {
    const { proposedSnapshot: snapshot } = record;
    if (isJsonObject(snapshot)) this.snapshot(snapshot);
    else this.proposal(record);
  }

  /** Checks the record of older clients as a whole, and each aspect by its entity type. */
  private snapshot(snapshot: JsonObject): void {
    const [name = '', value = null] = Object.entries(snapshot)[0] ?? [];
    const record = this.registry.schema(name.replace(AVRO, 'com.linkedin.'));
    if (record?.kind !== 'record' || !isJsonObject(value)) throw new Error(`no snapshot: ${name}`);
    const run = new CheckRun();
    this.registry.compileCheck(record)(value, run);
    for (const { path, reason } of run.faults) this.reject(`${path} ${reason}`);
    const entity = requireEntityType(this.registry, toText(value, 'urn'));
    if ('fault' in entity) throw new Error(entity.fault);
    for (const aspect of value.aspects as JsonObject[]) {
      const [recordName = ''] = Object.keys(aspect).map((key) => key.replace(AVRO, 'com.linkedin.'));
      const known = [...entity.entityType.aspects.values()].some((own) => own.recordName === recordName);
      if (!known) this.reject(`${entity.entityType.name} has no ${recordName}`);
      this.snapshotAspects++;
    }
  }

  private proposal(record: JsonObject): void {
    const { changeType, aspect } = record;
    const aspectName = toText(record, 'aspectName');
    const json: JsonValue = (isJsonObject(aspect) ? aspect.json : undefined) ?? null;
    const check = checkProposal(this.registry, {
      entityType: toText(record, 'entityType'),
      urn: toText(record, 'entityUrn'),
      aspectName,
      changeType: changeType as 'UPSERT',
      value: stringifyJson(json),
      actor: 'urn:li:corpuser:x',
    });
    if ('rejection' in check) {
      this.reject(check.rejection);
      return;
    }
    const wrongReferences = check.rejectReferences?.(undefined);
    if (wrongReferences !== undefined) this.reject(wrongReferences);
    if (check.timeseriesValues === undefined) this.proposals++;
    else this.timeseries++;
    // The result of a patch depends on the stored value.
    if (check.value !== undefined) this.compare(aspectName, json, check.value);
  }

  private compare(aspectName: string, sent: JsonValue, stored: string): void {
    if (isDeepStrictEqual(parseJson(stored), canonical(sent))) return;
    this.changed[aspectName] = (this.changed[aspectName] ?? 0) + 1;
  }

  private reject(reason: string): void {
    this.rejected[reason] = (this.rejected[reason] ?? 0) + 1;
  }
}

/** The tally of a file that the model accepts as a whole. */
function countRecords(registry: EntityRegistry, records: readonly JsonObject[]): Tally {
  const snapshots = records.flatMap(({ proposedSnapshot }) =>
    isJsonObject(proposedSnapshot) ? Object.values(proposedSnapshot) : [],
  );
  const timeseries = records.filter(
    (record) => registry.aspect(toText(record, 'aspectName'))?.kind === 'timeseries',
  ).length;
  const aspects = snapshots.map(
    (snapshot) => (snapshot as unknown as { readonly aspects: readonly unknown[] }).aspects,
  );
  return {
    ...NOTHING,
    proposals: records.length - snapshots.length - timeseries,
    timeseries,
    snapshotAspects: aspects.flat().length,
  };
}

describe('the output of connectors', () => {
  let registry: EntityRegistry;
  beforeAll(async () => {
    registry = await loadModel({ folders: [MODELS] });
  });

  it.each(readdirSync(FOLDER).filter((name) => name.endsWith('.json')))('fits the model: %s', (name) => {
    const counting = new Counting(registry);
    const records = parseJson(readFileSync(join(FOLDER, name), 'utf8')) as JsonObject[];
    for (const record of records) counting.count(record);
    const { proposals, timeseries, snapshotAspects, changed, rejected } = counting;
    // The model changes keys only, because the urn wins.
    expect(Object.keys(changed).filter((aspect) => !aspect.endsWith('Key'))).toEqual([]);
    const expected = REAL_FILES[name] ?? { ...countRecords(registry, records), changed };
    expect({ proposals, timeseries, snapshotAspects, changed, rejected }).toEqual(expected);
  });
});

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { isJsonObject, parseJson, stringifyJson, type JsonValue } from '@stratalog/json';
import { checkProposal, loadModel, type EntityRegistry } from '@stratalog/registry';

interface DemoRecord {
  readonly entityType: string;
  readonly entityUrn: string;
  readonly changeType: 'UPSERT';
  readonly aspectName: string;
  readonly aspect: { readonly json: JsonValue };
}

let registry: EntityRegistry;
let records: DemoRecord[];

beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../models')] });
  records = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) =>
      readFileSync(join(import.meta.dirname, name), 'utf8')
        .trimEnd()
        .split('\n'),
    )
    .map((line) => parseJson(line) as unknown as DemoRecord);
});

/** Collects every text in the value that is a urn. */
function urnsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return value.startsWith('urn:') ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(urnsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(urnsIn) : [];
}

/** Collects the columns of the catalog's schemas, as urns. */
function columnUrns(): string[] {
  return records.flatMap(({ entityUrn, aspect: { json } }) => {
    const fields = isJsonObject(json) ? json.fields : undefined;
    if (!Array.isArray(fields)) return [];
    return fields.map((field) => {
      const path = isJsonObject(field) ? field.fieldPath : undefined;
      return `urn:li:schemaField:(${entityUrn},${typeof path === 'string' ? path : ''})`;
    });
  });
}

describe('the demo catalog', () => {
  it('fits the model in every record, without unknown members', () => {
    for (const { entityType, entityUrn, changeType, aspectName, aspect } of records) {
      const check = checkProposal(registry, {
        entityType,
        urn: entityUrn,
        changeType,
        aspectName,
        value: stringifyJson(aspect.json),
        actor: 'urn:li:corpuser:demo',
      });
      const stored = 'rejection' in check ? check.rejection : parseJson(check.value ?? 'null');
      expect({ entityUrn, aspectName, stored }).toEqual({ entityUrn, aspectName, stored: aspect.json });
    }
  });

  it('references only entities and columns that it contains', () => {
    const known = new Set([...records.map(({ entityUrn }) => entityUrn), ...columnUrns()]);
    const mentioned = new Set(records.flatMap(({ aspect }) => urnsIn(aspect.json)));
    expect([...mentioned].filter((urn) => !known.has(urn))).toEqual([]);
  });

  it('has entities of these kinds', () => {
    const urns = new Map(records.map(({ entityUrn, entityType }) => [entityUrn, entityType]));
    const counts: Record<string, number> = {};
    for (const entityType of urns.values()) counts[entityType] = (counts[entityType] ?? 0) + 1;
    expect(counts).toEqual({
      assertion: 8,
      chart: 5,
      container: 6,
      corpGroup: 4,
      corpuser: 7,
      dashboard: 3,
      dataContract: 1,
      dataFlow: 3,
      dataJob: 10,
      dataPlatform: 9,
      dataProduct: 2,
      dataset: 21,
      domain: 5,
      glossaryNode: 4,
      glossaryTerm: 6,
      incident: 1,
      mlFeature: 6,
      mlFeatureTable: 2,
      mlModel: 2,
      mlModelDeployment: 1,
      mlModelGroup: 2,
      mlPrimaryKey: 2,
      query: 2,
      tag: 5,
    });
  });

  it('has each aspect once', () => {
    const names = records.map(({ entityUrn, aspectName }) => `${entityUrn} ${aspectName}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

import type { JsonValue } from '@stratalog/json';
import { NOW_MS, evaluateOn, type SmallStore } from './evaluate-on';
import { loadShippedModel } from './shipped-model';

export const registry = await loadShippedModel();
const DAY_MS = 86_400_000;
export const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:postgres,orders,PROD)';
export const RAW = 'urn:li:dataset:(urn:li:dataPlatform:postgres,raw,PROD)';
export const OLD = 'urn:li:dataset:(urn:li:dataPlatform:postgres,old,PROD)';
export const JDOE = 'urn:li:corpuser:jdoe';
export const ASMITH = 'urn:li:corpuser:asmith';
export const PII = 'urn:li:tag:pii';

export const store: SmallStore = {
  [ORDERS]: {
    datasetKey: { platform: 'urn:li:dataPlatform:postgres', name: 'orders', origin: 'PROD' },
    datasetProperties: {
      name: 'orders',
      description: '  ',
      tags: ['gold', 'daily'],
      customProperties: { team: 'sales', 'a.b': 'dotted' },
    },
    ownership: {
      owners: [
        { owner: JDOE, type: 'DATAOWNER' },
        { owner: ASMITH, type: 'DEVELOPER' },
      ],
      ownerTypes: { one: [JDOE] },
    },
    upstreamLineage: {
      upstreams: [
        { dataset: RAW, type: 'TRANSFORMED' },
        { dataset: OLD, type: 'TRANSFORMED' },
      ],
    },
    editableSchemaMetadata: {
      editableSchemaFieldInfo: [
        { fieldPath: 'id' },
        { fieldPath: 'email', globalTags: { tags: [{ tag: PII }] } },
        {
          fieldPath: 'name',
          globalTags: { tags: [{ tag: PII }] },
          glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:person' }] },
        },
      ],
    },
    datasetProfile: [
      { timestampMillis: NOW_MS - 2 * DAY_MS, rowCount: 40 },
      { timestampMillis: NOW_MS - 5 * DAY_MS, rowCount: 30 },
      { timestampMillis: NOW_MS - 20 * DAY_MS, rowCount: 500 },
    ],
  },
  [OLD]: { deprecation: { deprecated: true, note: 'old', actor: JDOE } },
  [JDOE]: { corpUserStatus: { status: 'ACTIVE' } },
  [ASMITH]: { corpUserStatus: { status: 'SUSPENDED' } },
};

export function evaluate(rules: JsonValue, on: JsonValue = { types: ['dataset'] }): string {
  return evaluateOn(registry, store, { urn: ORDERS, definition: { on, rules } }).kind;
}

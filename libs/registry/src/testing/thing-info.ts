import { allSteps, parseInSteps, stringifyJson, type JsonValue } from '@stratalog/json';
import type { AspectType } from '../model/entity-registry';
import { modelOf, oneAspect, type ModelFiles } from './model-of';
import { extractSearchValues as projectValues } from '../projection/extract-search-values';

const shared: ModelFiles = {
  'Urn.pdl': '@Urn typeref Urn = string',
  'Stamp.pdl': 'record Stamp { time: long, actor: Urn }',
  'Tags.pdl': `record Tags {
    @Searchable = {"/*/tag": {"fieldName": "tags", "fieldType": "URN", "hasValuesFieldName": "hasTags"}}
    tags: array[record TagUse { tag: Urn, at: optional Stamp }]
  }`,
};

export async function thingInfo(fields: string, vendor = 'linkedin'): Promise<AspectType> {
  const registry = await modelOf([oneAspect(fields, shared)], { vendor });
  const aspect = registry.aspect('thingInfo');
  if (aspect === undefined) throw new Error('the aspect is there');
  return aspect;
}

export const extractSearchValues = (aspect: AspectType, value: JsonValue, writtenMs?: number) =>
  allSteps(projectValues(aspect, allSteps(parseInSteps(stringifyJson(value))), writtenMs));

/** Values by search name. */
export function valuesOf(aspect: AspectType, value: JsonValue): Record<string, readonly unknown[]> {
  return Object.fromEntries(
    extractSearchValues(aspect, value).map(({ field, values }) => [field.name, values]),
  );
}

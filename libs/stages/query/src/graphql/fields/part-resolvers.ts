import { parentOfColumn, parseUrn, entityTypeIn } from '@stratalog/domain';
import { isJsonObject, valueAt, type JsonValue } from '@stratalog/json';
import { columnUrn } from '@stratalog/registry';
import type { Resolver } from './field-resolvers';
import { AspectPart, EntityRef } from './values';

/** Fields of parts of aspects whose values the schema has in another form than the model. */
export const PART_RESOLVERS: Readonly<Record<string, Resolver>> = {
  'SchemaField.type': ({ value }: AspectPart) => toFieldType(value.type),
  'BusinessAttributeInfo.type': ({ value }: AspectPart) =>
    value.type === undefined ? null : toFieldType(value.type),
  'SchemaField.schemaFieldEntity': ({ owner, value }: AspectPart) =>
    new EntityRef(columnUrn(owner.urn, toText(value.fieldPath))),
  'SchemaMetadata.platformSchema': ({ value }: AspectPart) => toPlatformSchema(value.platformSchema),
  'SchemaMetadata.datasetUrn': ({ owner }: AspectPart) => owner.urn,
  // An entry leads to a definition, and one without would take all the others with it.
  'StructuredProperties.properties': async ({ owner, value }: AspectPart, _given, { loader }) => {
    const entries = await Promise.all(
      listOf(value.properties).map(async (entry) => {
        if (!isJsonObject(entry)) return [];
        const definition = await loader.aspect(toText(entry.propertyUrn), 'propertyDefinition');
        return definition === undefined ? [] : [new AspectPart(owner, entry)];
      }),
    );
    return entries.flat();
  },
  'StructuredPropertiesEntry.values': ({ value }: AspectPart) => listOf(value.values).map(toPropertyValue),
  'StructuredPropertiesEntry.valueEntities': ({ value }: AspectPart) =>
    listOf(value.values).flatMap((each) => {
      const text = isJsonObject(each) ? each.string : undefined;
      return typeof text === 'string' && 'urn' in parseUrn(text) ? [new EntityRef(text)] : [];
    }),
  'AllowedValue.value': ({ value }: AspectPart) => toPropertyValue(value.value),
  'EntityTypeInfo.type': ({ owner }: AspectPart, _given, { names }) =>
    names.nameOf(owner.urn.slice(owner.urn.lastIndexOf('.') + 1)),
  'DatasetAssertionInfo.fields': ({ value }: AspectPart) =>
    listOf(value.fields).map((each) => {
      const urn = toText(each);
      const parsed = parseUrn(urn);
      return { urn, path: 'urn' in parsed ? parsed.urn.parts[1] : urn };
    }),
  'TimeWindow.durationMillis': ({ value }: AspectPart) => toDuration(value.length),
  'Incident.entity': async ({ urn }: EntityRef, _given, { loader }) => {
    const [entity] = listOf(valueAt(await loader.aspect(urn, 'incidentInfo'), ['entities']));
    return new EntityRef(typeof entity === 'string' ? entity : urn);
  },
  'Incident.assignees': async ({ urn }: EntityRef, _given, { loader }) => {
    const assignees = listOf(valueAt(await loader.aspect(urn, 'incidentInfo'), ['assignees']));
    return assignees.map((each) => new EntityRef(toText(valueAt(each, ['actor']))));
  },
  'Incident.priority': async ({ urn }: EntityRef, _given, { loader }) =>
    PRIORITIES[Number(valueAt(await loader.aspect(urn, 'incidentInfo'), ['priority']))],
  'QueryEntity.subjects': async ({ urn }: EntityRef, _given, { loader }) => {
    const aspect = await loader.aspect(urn, 'querySubjects');
    return listOf(isJsonObject(aspect) ? aspect.subjects : undefined).flatMap((each) => {
      const subject = toText(valueAt(each, ['entity']));
      const parent = parentOfColumn(subject);
      if (parent !== undefined) {
        return [{ dataset: new EntityRef(parent), schemaField: new EntityRef(subject) }];
      }
      return entityTypeIn(subject) === 'dataset' ? [{ dataset: new EntityRef(subject) }] : [];
    });
  },
};

const DAY_MS = 86_400_000;
/** Months and years as the calendar has them on average. **Units**: milliseconds. */
const INTERVALS: Readonly<Record<string, number>> = {
  SECOND: 1_000,
  MINUTE: 60_000,
  HOUR: 3_600_000,
  DAY: DAY_MS,
  WEEK: 7 * DAY_MS,
  MONTH: 30 * DAY_MS,
  QUARTER: 91 * DAY_MS,
  YEAR: 365 * DAY_MS,
};

/** The length of a window; `null` for a unit that the model may get. */
function toDuration(length: JsonValue | undefined): number | null {
  const unit = INTERVALS[toText(valueAt(length, ['unit']))];
  return unit === undefined ? null : unit * Number(valueAt(length, ['multiple']) ?? 1);
}

/** By the numbers of the model. */
export const PRIORITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;

/** The text of a member that the model has as text. */
function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The type of a column is a union, whose member names it. */
function toFieldType(type: JsonValue | undefined): string {
  const inner = isJsonObject(type) ? type.type : undefined;
  const [name] = isJsonObject(inner) ? Object.keys(inner) : [];
  const word = (name ?? 'NullType').replace(/^.*\./, '').replace(/Type$/, '').toUpperCase();
  return word === 'RECORD' ? 'STRUCT' : word;
}

/** The members of the schemas of platforms that hold a schema as text, in one. */
const WHOLE = ['tableSchema', 'documentSchema', 'rawSchema', 'schema'] as const;

function toPlatformSchema(schema: JsonValue | undefined): object | null {
  const [inner] = isJsonObject(schema) ? Object.values(schema) : [];
  if (!isJsonObject(inner)) return null;
  const { keySchema, valueSchema } = inner;
  if (typeof keySchema === 'string' && typeof valueSchema === 'string') {
    return { __typename: 'KeyValueSchema', keySchema, valueSchema };
  }
  const text = WHOLE.map((name) => inner[name]).find((each) => typeof each === 'string');
  return text === undefined ? null : { __typename: 'TableSchema', schema: text };
}

function toPropertyValue(value: JsonValue | undefined): object | null {
  if (!isJsonObject(value)) return null;
  if (typeof value.string === 'string') return { __typename: 'StringValue', stringValue: value.string };
  return value.double === undefined ? null : { __typename: 'NumberValue', numberValue: Number(value.double) };
}

import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, valueAt, type JsonObject, type JsonValue, type Steps } from '@stratalog/json';
import { columnUrn } from '@stratalog/registry';
import type { BoundedEvents } from './bounded-events';
import type { ChangeEvent } from './change-event';
import { compareLists, LISTS_OF_COLUMNS } from './compare-lists';
import { compareTexts } from './compare-texts';

/** The aspects with columns, and the members that list them. Only the schema of the source decides which columns there are. */
const COLUMNS: ReadonlyMap<string, { readonly list: string; readonly isSchema: boolean }> = new Map([
  ['schemaMetadata', { list: 'fields', isSchema: true }],
  ['editableSchemaMetadata', { list: 'editableSchemaFieldInfo', isSchema: false }],
]);

/**
 * Compares the columns of two schemas: which come and go, what their types are, and what is said of each. A removed or retyped column
 * breaks its readers.
 */
export function* compareColumns(
  { urn, aspectName }: { readonly urn: string; readonly aspectName: string },
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  found: BoundedEvents,
): Steps<void> {
  const columns = COLUMNS.get(aspectName);
  if (columns === undefined) return;
  const [old, now] = [readColumns(before, columns.list), readColumns(after, columns.list)];
  for (const [path, former] of old) {
    if (columns.isSchema && !now.has(path)) found.add(toSchemaEvent(urn, path, former, 'REMOVE'));
    if (!columns.isSchema && !now.has(path))
      for (const event of compareSayings(urn, path, former, undefined)) found.add(event);
    yield;
  }
  for (const [path, column] of now) {
    const former = old.get(path);
    if (columns.isSchema && former === undefined) found.add(toSchemaEvent(urn, path, column, 'ADD'));
    else if (columns.isSchema && hasOtherType(former, column))
      found.add(toSchemaEvent(urn, path, column, 'MODIFY'));
    for (const event of compareSayings(urn, path, former, column)) found.add(event);
    yield;
  }
}

function readColumns(value: JsonObject | undefined, list: string): ReadonlyMap<string, JsonObject> {
  const fields = valueAt(value, [list]);
  const columns = new Map<string, JsonObject>();
  if (!Array.isArray(fields)) return columns;
  for (const field of fields) {
    const path = valueAt(field, ['fieldPath']);
    if (typeof path === 'string' && isJsonObject(field)) columns.set(path, field);
  }
  return columns;
}

function hasOtherType(before: JsonObject | undefined, after: JsonObject): boolean {
  return (
    before !== undefined &&
    ['type', 'nativeDataType', 'nullable'].some((name) => !isDeepStrictEqual(before[name], after[name]))
  );
}

const SCHEMA_WORDS = { ADD: 'added', REMOVE: 'removed', MODIFY: 'changed its type' } as const;

function toSchemaEvent(
  urn: string,
  fieldPath: string,
  column: JsonObject,
  operation: keyof typeof SCHEMA_WORDS,
): ChangeEvent {
  const fieldUrn = columnUrn(urn, fieldPath);
  const nullable = column.nullable === true;
  return {
    category: 'TECHNICAL_SCHEMA',
    operation,
    entityUrn: urn,
    modifier: fieldUrn,
    grade: operation === 'ADD' ? 'MINOR' : 'MAJOR',
    description: `Column '${fieldPath}' ${SCHEMA_WORDS[operation]}.`,
    parameters: { fieldPath, fieldUrn, nullable },
  };
}

/** Compares what is said of a column: its description, tags and terms. */
function* compareSayings(
  urn: string,
  fieldPath: string,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): Generator<ChangeEvent> {
  const entityUrn = columnUrn(urn, fieldPath);
  const place = { urn: entityUrn, parameters: { fieldPath, parentUrn: urn } };
  yield* compareTexts(place, before, after);
  for (const [member, things] of LISTS_OF_COLUMNS) {
    const [old, now]: readonly (JsonValue | undefined)[] = [before?.[member], after?.[member]];
    yield* compareLists(things, place, old, now);
  }
}

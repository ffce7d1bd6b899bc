import type { TimeseriesField } from '@stratalog/domain';
import { withoutNul } from '@stratalog/json';
import type { ComparedValue, TimeseriesCriterion, TimeseriesFilter, TimeseriesTest } from '@stratalog/ports';
import type { StatementParameters } from '../database/statement-parameters';

/**
 * Joins the members of a value that `fields` read to its row `p`, as columns of `j`. It parses the text once and builds
 * only those members.
 *
 * A single member is read by an operator: a function in FROM keeps its row in a store of its own, which takes half as long as reading
 * the member. The offset keeps the server from reading it once for each mention.
 */
export function joinMembers(fields: readonly TimeseriesField[]): string {
  const { columns, join } = readMembers(fields);
  if (columns.length === 0 || join !== '') return join;
  return `cross join lateral (select ${columns.map(({ name, read }) => `${read} as ${name}`).join(', ')} offset 0) as j`;
}

/** How the rows `p` of a statement read members of their values. */
interface MembersRead {
  readonly columns: readonly { readonly name: string; readonly read: string }[];
  /** The part of FROM that the columns need besides `p`. */
  readonly join: string;
}

function readMembers(fields: readonly TimeseriesField[]): MembersRead {
  const members = fields.filter(({ source }) => source === 'value' || source === 'element');
  const names = [...new Set(members.map(({ path: [name = ''] }) => name))];
  const value = `${toReadable('p.value')}::json`;
  const columns = names.map((name) => ({ name: quoteName(name), read: `j.${quoteName(name)}` }));
  const [only] = names;
  if (only === undefined) return { columns, join: '' };
  if (names.length === 1)
    return { columns: [{ name: quoteName(only), read: `${value} -> ${quote(only)}` }], join: '' };
  const record = columns.map(({ name }) => `${name} json`).join(', ');
  return { columns, join: `cross join lateral json_to_record(${value}) as j(${record})` };
}

/**
 * Writes the rows `p` of values, with the members that `fields` read as columns of `j`: a part of FROM. `condition` is about columns of
 * `timeseries_value` alone. The members are read below the offset, which processes in parallel can do.
 */
export function writeRows(fields: readonly TimeseriesField[], condition: string): string {
  const { columns, join } = readMembers(fields);
  const read = columns.map(({ read: column }, at) => `${column} as m${String(at)}`);
  const metadata = fields.some(({ source }) => source === 'system-metadata') ? ['p.system_metadata'] : [];
  const named = columns.map(({ name }, at) => `p.m${String(at)} as ${name}`);
  return `(select ${['p.urn', 'p.timestamp_ms', ...metadata, ...read].join(', ')}
             from timeseries_value p ${join} where ${condition} offset 0) as p
          cross join lateral (select ${named.join(', ')}) as j`;
}

export function isColumn({ source }: TimeseriesField): boolean {
  return source === 'urn' || source === 'timestamp';
}

/** The part of a filter that is about columns alone: each value that satisfies the filter satisfies it. */
export function keepColumnCriteria(filter: TimeseriesFilter | undefined): TimeseriesFilter | undefined {
  return filter?.map((list) => list.filter(({ field }) => isColumn(field)));
}

/** The fields that a filter reads. */
export function listFields(filter: TimeseriesFilter | undefined): readonly TimeseriesField[] {
  return filter?.flat().map(({ field }) => field) ?? [];
}

/**
 * Writes JSON that PostgreSQL can read: its texts have neither NUL nor unpaired surrogates, so those compare as the
 * replacement character. Canonical JSON escapes no other surrogates; a backslash before an escape may be escaped itself.
 */
function toReadable(json: string): string {
  const escapes = String.raw`(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})`;
  return String.raw`(case when ${json} like '%\\u%' then regexp_replace(${json}, '${escapes}', '\1\\ufffd', 'g') else ${json} end)`;
}

const PARSED_SYSTEM_METADATA = `${toReadable('p.system_metadata')}::json`;

const MAX_BIGINT = 2n ** 63n - 1n;

/**
 * Writes the condition of a filter for a row `p` of `timeseries_value` with {@link joinMembers}.
 *
 * Criteria of the urn and the time are written so that the server can use the primary key and skip partitions.
 */
export function toFilterCondition(
  filter: TimeseriesFilter | undefined,
  parameters: StatementParameters,
): string {
  if (filter === undefined) return 'true';
  const lists = filter.map((list) =>
    list.map((criterion) => toCriterionCondition(criterion, parameters)).join(' and '),
  );
  return lists.length === 0 ? 'false' : `(${lists.map((list) => list || 'true').join(' or ')})`;
}

function toCriterionCondition(
  { field, test, negated }: TimeseriesCriterion,
  parameters: StatementParameters,
): string {
  const condition =
    field.isList === true
      ? `exists (select from json_array_elements(${toList(field)}) as e(v)
                  where ${toTestCondition(toFieldExpressions(toRead('e.v', [], field), field), test, parameters)})`
      : toTestCondition(toExpressions(field), test, parameters);
  return negated ? `(${condition}) is not true` : `(${condition})`;
}

/** SQL for the value of a field: each is null when there is none. */
export interface FieldExpressions {
  readonly text: string;
  /** As a number; for fields of kind `number` only. */
  readonly number: string;
  /** Type of a parameter that compares with `number`. */
  readonly numberType: (value: ComparedValue) => string;
}

/** `element` is what {@link toRead} writes for an element, for fields of elements. */
export function toExpressions(field: TimeseriesField, element = ''): FieldExpressions {
  switch (field.source) {
    case 'urn':
      return { text: 'p.urn', number: 'null::numeric', numberType: () => 'numeric' };
    case 'timestamp':
      return { text: 'p.timestamp_ms::text', number: 'p.timestamp_ms', numberType: toIndexedType };
    case 'system-metadata':
      return toFieldExpressions(toRead(PARSED_SYSTEM_METADATA, field.path, field), field);
    case 'value':
      return withFallback(toFieldExpressions(toReadMember(field), field), field);
    case 'element':
      return toFieldExpressions(element, field);
    default:
      return field.source satisfies never;
  }
}

/** Writes what orders the values of a field: a number, or a text in the order of its bytes. A list orders by its JSON. */
export function toOrderExpression(field: TimeseriesField): string {
  const { text, number } = toExpressions(field);
  return field.kind === 'number' && field.isList !== true ? number : `(${text}) collate "C"`;
}

/** SQL for the list at the path of a field; empty when there is none. */
export function toList({ path }: Pick<TimeseriesField, 'path'>): string {
  const list = toReadMember({ path, kind: 'json' });
  return `case json_typeof(${list}) when 'array' then ${list} else '[]' end`;
}

/** A number of another type would keep the server from using the index. */
function toIndexedType(value: ComparedValue): string {
  return typeof value === 'bigint' && value <= MAX_BIGINT && value >= -MAX_BIGINT ? 'bigint' : 'numeric';
}

function toReadMember({ path: [first = '', ...rest], kind }: Pick<TimeseriesField, 'path' | 'kind'>): string {
  return toRead(`j.${quoteName(first)}`, rest, { kind });
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Writes the value at `path` of the JSON `from`: JSON for numbers and whole parts, a text for texts. Paths are names of the model. */
export function toRead(
  from: string,
  path: readonly string[],
  { kind }: Pick<TimeseriesField, 'kind'>,
): string {
  const isJson = kind === 'number' || kind === 'json';
  if (path.length === 0) return isJson ? from : `(${from} #>> '{}')`;
  return `(${from} ${isJson ? '#>' : '#>>'} array[${path.map(quote).join(', ')}])`;
}

/** Quotes a text of the model for a statement. Texts of requests are parameters. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** `read` is what {@link toRead} writes. */
function toFieldExpressions(read: string, { kind }: Pick<TimeseriesField, 'kind'>): FieldExpressions {
  const numberType = () => 'numeric';
  switch (kind) {
    case 'number':
      return {
        text: `(${read} #>> '{}')`,
        number: `case json_typeof(${read}) when 'number' then ${read}::text::numeric end`,
        numberType,
      };
    case 'json':
      return { text: `nullif(${read}::jsonb, 'null')::text`, number: 'null::numeric', numberType };
    default:
      return { text: read, number: 'null::numeric', numberType };
  }
}

function withFallback(
  { text, number, numberType }: FieldExpressions,
  { fallback, kind }: TimeseriesField,
): FieldExpressions {
  if (fallback === undefined) return { text, number, numberType };
  const given = quote(fallback);
  return {
    text: `coalesce(${text}, ${given}::text)`,
    number: kind === 'number' ? `coalesce(${number}, ${given}::text::numeric)` : number,
    numberType,
  };
}

function toTestCondition(
  { text, number, numberType }: FieldExpressions,
  test: TimeseriesTest,
  parameters: StatementParameters,
): string {
  const anyPart = (compare: (part: string) => string): string =>
    'parts' in test
      ? `exists (select from unnest(${parameters.add(test.parts.map(withoutNul))}::text[]) as w(part)
                  where ${compare('lower(w.part)')})`
      : 'false';
  const compare = (operator: string, value: ComparedValue): string =>
    typeof value === 'string'
      ? `${text} ${operator} ${parameters.add(withoutNul(value))}::text collate "C"`
      : `${number} ${operator} ${parameters.add(String(value))}::${numberType(value)}`;
  switch (test.kind) {
    case 'exists':
      return `${text} is not null`;
    case 'one-of':
      return toOneOf({ text, number, numberType }, test.values, parameters);
    case 'equal':
      return anyPart((part) => `lower(${text}) = ${part}`);
    case 'contain':
      return anyPart((part) => `strpos(lower(${text}), ${part}) > 0`);
    case 'start':
      return anyPart((part) => `starts_with(lower(${text}), ${part})`);
    case 'end':
      return anyPart((part) => `right(lower(${text}), length(${part})) = ${part}`);
    case 'range': {
      const { low, high } = test;
      const ends = [
        ...(low === undefined ? [] : [compare(low.isIncluded ? '>=' : '>', low.value)]),
        ...(high === undefined ? [] : [compare(high.isIncluded ? '<=' : '<', high.value)]),
      ];
      return ends.join(' and ') || `${text} is not null`;
    }
    default:
      return test satisfies never;
  }
}

function toOneOf(
  { text, number, numberType }: FieldExpressions,
  values: readonly ComparedValue[],
  parameters: StatementParameters,
): string {
  const texts = values.filter((value) => typeof value === 'string').map(withoutNul);
  const numbers = values.filter((value) => typeof value !== 'string');
  const type = numbers.map(numberType).find((each) => each === 'numeric') ?? 'bigint';
  const conditions = [
    ...(texts.length === 0 ? [] : [`${text} = any(${parameters.add(texts)}::text[])`]),
    ...(numbers.length === 0 ? [] : [`${number} = any(${parameters.add(numbers.map(String))}::${type}[])`]),
  ];
  return conditions.join(' or ') || 'false';
}

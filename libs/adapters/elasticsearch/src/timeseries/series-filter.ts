import type { estypes } from '@elastic/elasticsearch';
import { timeseriesFieldKey, type TimeseriesField } from '@stratalog/domain';
import { withoutNul } from '@stratalog/json';
import type {
  ComparedValue,
  TimeseriesCriterion,
  TimeseriesFilter,
  TimeseriesTest,
  RangeEnd,
} from '@stratalog/ports';

type Query = estypes.QueryDslQueryContainer;

/** The last time that the engine represents. Epoch ms. */
const MAX_TIME_MS = 8_640_000_000_000_000;

/** Builds the query of a filter; `undefined` when the engine would select other values than the store. */
export function toFilterQuery(filter: TimeseriesFilter): Query | undefined {
  const lists = filter.map((list) => list.map(toCriterionQuery));
  if (lists.flat().includes(undefined)) return undefined;
  const should = lists.map((list) => ({ bool: { filter: list as Query[] } }));
  return should.length === 0 ? { match_none: {} } : { bool: { should, minimum_should_match: 1 } };
}

function toCriterionQuery({ field, test, negated }: TimeseriesCriterion): Query | undefined {
  if (field.isList === true) return undefined;
  const query = toTestQuery(field, test);
  return query !== undefined && negated ? { bool: { must_not: [query] } } : query;
}

function toTestQuery(field: TimeseriesField, test: TimeseriesTest): Query | undefined {
  switch (test.kind) {
    case 'exists':
      return toExists(field);
    case 'one-of':
      return toOneOf(field, test.values);
    case 'range':
      return toRange(field, test);
    case 'equal':
    case 'contain':
    case 'start':
    case 'end':
      // The store ignores case by its own rules.
      return undefined;
    default:
      return test satisfies never;
  }
}

function toExists(field: TimeseriesField): Query | undefined {
  if (field.source === 'urn' || field.source === 'timestamp') return { match_all: {} };
  return field.source === 'value' ? { exists: { field: toTextPath(field) } } : undefined;
}

function toOneOf(field: TimeseriesField, values: readonly ComparedValue[]): Query | undefined {
  const texts = values.filter((value) => typeof value === 'string').map(withoutNul);
  const numbers = values.filter((value) => typeof value !== 'string').map(Number);
  const should: Query[] = [];
  switch (field.source) {
    case 'urn':
      should.push({ terms: { urn: texts } });
      break;
    case 'timestamp':
      should.push({ terms: { t: numbers.filter(isTime) } });
      break;
    case 'value':
      if (numbers.some((value) => !isExact(value))) return undefined;
      should.push({ terms: { [toTextPath(field)]: texts } });
      if (field.kind === 'number') should.push({ terms: { [toNumberPath(field)]: numbers } });
      break;
    default:
      return undefined;
  }
  return { bool: { should, minimum_should_match: 1 } };
}

function toRange(
  field: TimeseriesField,
  { low, high }: Extract<TimeseriesTest, { readonly kind: 'range' }>,
): Query | undefined {
  if (low === undefined && high === undefined) return toExists(field);
  const ends = [low?.value, high?.value].filter((value) => value !== undefined);
  const areNumbers = ends.every((value) => typeof value !== 'string');
  if (field.source === 'timestamp') {
    return ends.every(isTime) ? { range: { t: toBounds(low, high, Number) } } : undefined;
  }
  if (areNumbers) {
    if (field.source !== 'value' || field.kind !== 'number') return undefined;
    if (!ends.every((value) => isExact(Number(value)))) return undefined;
    return { range: { [toNumberPath(field)]: toBounds(low, high, Number) } };
  }
  if (!ends.every((value) => typeof value === 'string')) return undefined;
  if (field.source === 'urn') return { range: { urn: toBounds(low, high, toText) } };
  return field.source === 'value' && field.kind !== 'number'
    ? { range: { [toTextPath(field)]: toBounds(low, high, toText) } }
    : undefined;
}

function toBounds<Bound extends string | number>(
  low: RangeEnd | undefined,
  high: RangeEnd | undefined,
  convert: (value: ComparedValue) => Bound,
): Record<string, Bound> {
  return {
    ...(low === undefined ? {} : { [low.isIncluded ? 'gte' : 'gt']: convert(low.value) }),
    ...(high === undefined ? {} : { [high.isIncluded ? 'lte' : 'lt']: convert(high.value) }),
  };
}

function toText(value: ComparedValue): string {
  return withoutNul(String(value));
}

/** True for a value that a time can equal. */
function isTime(value: ComparedValue): boolean {
  const time = Number(value);
  return typeof value !== 'string' && Number.isInteger(time) && time >= 0 && time <= MAX_TIME_MS;
}

function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

export function toTextPath(field: TimeseriesField): string {
  return `x.${timeseriesFieldKey(field)}`;
}

export function toNumberPath(field: TimeseriesField): string {
  return `n.${timeseriesFieldKey(field)}`;
}

import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import { NOW_MS, type SmallStore } from './evaluate-on';

/** The relationships that generated rules use, by hand: the paths of their urns. */
const RELATIONSHIPS: Readonly<Record<string, string>> = {
  OwnedBy: 'ownership.owners.owner',
  TaggedWith: 'globalTags.tags.tag',
};

/**
 * Says whether a predicate holds, straight from its JSON: without a model, without compiling, and with the whole store at
 * hand. The reference for generated rules.
 */
export function holdsNaively(store: SmallStore, predicate: JsonValue, start: JsonValue): boolean {
  if (Array.isArray(predicate)) return predicate.every((part) => holdsNaively(store, part, start));
  if (!isJsonObject(predicate)) throw new TypeError('no predicate');
  const { negate = false, ...form } = predicate;
  return holdsForm(store, form, start) !== (negate === true);
}

function holdsForm(store: SmallStore, form: JsonObject, start: JsonValue): boolean {
  const { and, or, not, every, some, none, where = [], rules = [] } = form;
  const listed = (list: JsonValue): JsonValue[] => (Array.isArray(list) ? list : [list]);
  if (and !== undefined) return listed(and).every((part) => holdsNaively(store, part, start));
  if (or !== undefined) return listed(or).some((part) => holdsNaively(store, part, start));
  if (not !== undefined) return !holdsNaively(store, not, start);
  const path = every ?? some ?? none;
  if (typeof path === 'string') {
    const counted = valuesAt(store, path, start).filter((element) => holdsNaively(store, where, element));
    const passed = counted.filter((element) => holdsNaively(store, rules, element));
    if (every !== undefined) return passed.length === counted.length;
    return some === undefined ? passed.length === 0 : passed.length > 0;
  }
  return compares(form, valuesAt(store, text(form.property), start));
}

function valuesAt(store: SmallStore, path: string, start: JsonValue): JsonValue[] {
  if (path === '.') return [start];
  const [first = '', second = '', ...rest] = path.split('.');
  if (first === 'relationships') {
    const ends = new Set(valuesAt(store, RELATIONSHIPS[second] ?? '', start));
    return rest.length === 0 ? [...ends] : [...ends].flatMap((end) => valuesAt(store, rest.join('.'), end));
  }
  let values: JsonValue[] = [start];
  for (const name of path.split('.')) {
    const sources = new Set(values);
    values = [...(values.every((value) => typeof value === 'string') ? sources : values)].flatMap((value) => {
      const from = typeof value === 'string' ? store[value] : value;
      const inner = isJsonObject(from) && Object.hasOwn(from, name) ? from[name] : undefined;
      return inner === undefined ? [] : flatten(latest(name, inner));
    });
  }
  return values;
}

function latest(name: string, value: JsonValue): JsonValue {
  return name === 'datasetProfile' && Array.isArray(value) ? value.slice(0, 1) : value;
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function flatten(value: JsonValue): JsonValue[] {
  if (value === null) return [];
  return Array.isArray(value) ? value.flatMap(flatten) : [value];
}

function compares(
  { operator, value, values, at_least: low, at_most: high }: JsonObject,
  found: JsonValue[],
): boolean {
  const operands = [value, values].flat().filter((operand) => operand !== undefined);
  const anyPair = (holds: (one: string, operand: string) => boolean): boolean =>
    found.some((one) => operands.some((operand) => holds(text(one), text(operand))));
  const anyNumber = (holds: (one: number, operand: number) => boolean): boolean =>
    found.some((one) => holds(Number(one), Number(operands[0])));
  switch (operator) {
    case 'exists':
      return found.some((one) => typeof one !== 'string' || /\S/.test(one));
    case 'equals':
      return anyPair((one, operand) => one === operand);
    case 'contains_str':
      return anyPair((one, operand) => one.includes(operand));
    case 'starts_with':
      return anyPair((one, operand) => one.startsWith(operand));
    case 'ends_with':
      return anyPair((one, operand) => one.endsWith(operand));
    case 'matches':
      return anyPair((one, operand) => new RegExp(`^(?:${operand})$`).test(one));
    case 'greater_than':
      return anyNumber((one, operand) => one > operand);
    case 'less_than':
      return anyNumber((one, operand) => one < operand);
    case 'older_than':
      return found.some((one) => NOW_MS - Number(one) > Number.parseInt(text(operands[0]), 10) * 86_400_000);
    case 'is_true':
      return found.includes(true);
    case 'is_false':
      return found.includes(false);
    case 'unique':
      return found.every((one, at) => found.indexOf(one) === at);
    case 'count':
      return (
        operands.every((operand) => found.length === Number(operand)) &&
        found.length >= Number(low ?? 0) &&
        found.length <= Number(high ?? Infinity)
      );
    default:
      throw new TypeError(`no operator ${text(operator)}`);
  }
}

import type { JsonObject, JsonValue } from '@stratalog/json';
import { isObject } from '../../../data/entity-card';
import type { Difference } from './describe-change';

const MOST = 1_000;
/** Members that name an element of a list. */
const KEYS = ['fieldPath', 'owner', 'tag', 'urn', 'dataset', 'propertyUrn', 'url'] as const;

/** How a value became another: paths and values as the timeline of the catalog has them, for two versions that do not follow each other. */
export function diffValues(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path = '',
): readonly Difference[] {
  if (before === after) return [];
  if (before === undefined) return after === undefined ? [] : [{ path, kind: 'added', newValue: after }];
  if (after === undefined) return [{ path, kind: 'removed', oldValue: before }];
  const [old, now] = [membersOf(before), membersOf(after)];
  if (old === undefined || now === undefined || Array.isArray(before) !== Array.isArray(after)) {
    return [{ path, kind: 'changed', oldValue: before, newValue: after }];
  }
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names
    .flatMap((name) =>
      diffValues(old[name], now[name], `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    )
    .slice(0, MOST);
}

/** The parts of an object, or those of a list by their names, else by their places. */
function membersOf(value: JsonValue): JsonObject | undefined {
  if (isObject(value)) return value;
  if (!Array.isArray(value)) return undefined;
  const elements: readonly JsonValue[] = value;
  const key = KEYS.find((name) => elements.every((each) => isObject(each) && typeof each[name] === 'string'));
  const named = elements.map((each, at): readonly [string, JsonValue] => {
    const name = key !== undefined && isObject(each) ? each[key] : undefined;
    return [typeof name === 'string' ? name : String(at), each];
  });
  const isUnique = new Set(named.map(([name]) => name)).size === elements.length;
  return Object.fromEntries(isUnique ? named : elements.map((each, at) => [String(at), each]));
}

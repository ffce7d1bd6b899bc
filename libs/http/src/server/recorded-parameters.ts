import {
  isJsonObject,
  stringifyJson,
  type JsonObject,
  type JsonOutput,
  type JsonOutputObject,
  type JsonValue,
} from '@stratalog/json';
import { hideSecrets } from '../access/access-token';

/** Most characters of the recorded parameters of one call. */
const MAX_LENGTH = 4_096;
const SECRET = /token|secret|password|credential|authorization/i;

/**
 * Copies the parameters of a call for its record: members that may be secret are replaced, and of large parameters only the beginning stays.
 *
 * Reads no more than it records: a rejected call may have a body of megabytes.
 */
export function recordParameters(parameters: JsonOutput): JsonObject {
  const budget: Budget = { left: MAX_LENGTH };
  const copy = copyWithin(parameters, budget);
  const text = stringifyJson(copy);
  if (budget.left < 0 || text.length > MAX_LENGTH) return { beginning: text.slice(0, MAX_LENGTH) };
  return isJsonObject(copy) ? copy : {};
}

/** Characters that the copy may still take; each value and each name takes its length, and at least one. */
interface Budget {
  left: number;
}

function copyWithin(value: JsonOutput, budget: Budget): JsonValue {
  budget.left -= 1;
  if (typeof value === 'string') return cut(value, budget);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? copyElements(value as readonly JsonOutput[], budget)
    : copyMembers(value as JsonOutputObject, budget);
}

function copyElements(list: readonly JsonOutput[], budget: Budget): JsonValue[] {
  const elements: JsonValue[] = [];
  for (const element of list) {
    if (budget.left < 0) break;
    elements.push(copyWithin(element, budget));
  }
  return elements;
}

function copyMembers(object: JsonOutputObject, budget: Budget): JsonObject {
  const members: [string, JsonValue][] = [];
  for (const name in object) {
    if (budget.left < 0) break;
    const member = object[name];
    if (member === undefined) continue;
    members.push([cut(name, budget), SECRET.test(name) ? '***' : copyWithin(member, budget)]);
  }
  return Object.fromEntries(members);
}

function cut(text: string, budget: Budget): string {
  const shown = hideSecrets(text.slice(0, MAX_LENGTH));
  budget.left -= shown.length;
  return shown;
}

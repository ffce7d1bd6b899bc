import {
  MAX_OBJECT_MEMBERS,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Steps,
} from '@stratalog/json';
import { MAX_DEPTH, TOO_DEEP, checkInSteps, shown, type Check, type CheckRun } from './check-run';
import { quoted } from './scalar-checks';

/** Small elements that one step checks. */
const STEP = 64;
const TOO_MANY = `has more than ${String(MAX_OBJECT_MEMBERS)} members`;

export function arrayCheck(check: Check): Check {
  const atOnce: Check = (value, run) => {
    if (!Array.isArray(value)) return run.fault(`must be an array, not ${shown(value)}`);
    if (run.depth >= MAX_DEPTH) return run.fault(TOO_DEEP);
    const level = run.depth;
    run.depth = level + 1;
    let text = '';
    let index = 0;
    for (const element of value) {
      run.path[level] = index;
      const innerText = check(element, run);
      text += index === 0 ? innerText : `,${innerText}`;
      index++;
      if (run.full) break;
    }
    run.depth = level;
    return `[${text}]`;
  };
  function* inSteps(value: JsonValue, run: CheckRun): Steps<string> {
    if (!Array.isArray(value) || run.depth >= MAX_DEPTH) return atOnce(value, run);
    const elements = value.entries();
    return `[${yield* inRuns(elements, run, (element) => checkInSteps(check, element, run))}]`;
  }
  return Object.assign(atOnce, { inSteps });
}

export function mapCheck(check: Check): Check {
  const atOnce: Check = (value, run) => {
    if (!isJsonObject(value)) return run.fault(`must be an object (a map), not ${shown(value)}`);
    if (run.depth >= MAX_DEPTH) return run.fault(TOO_DEEP);
    const keys = Object.keys(value);
    if (keys.length > MAX_OBJECT_MEMBERS) return run.fault(TOO_MANY);
    const level = run.depth;
    run.depth = level + 1;
    let text = '';
    for (const key of keys.sort()) {
      run.path[level] = key;
      const inner = `${quoted(key, run)}:${check(value[key] ?? null, run)}`;
      text += text === '' ? inner : `,${inner}`;
      if (run.full) break;
    }
    run.depth = level;
    return `{${text}}`;
  };
  function* inSteps(value: JsonValue, run: CheckRun): Steps<string> {
    if (!isJsonObject(value) || run.depth >= MAX_DEPTH) return atOnce(value, run);
    if (Object.keys(value).length > MAX_OBJECT_MEMBERS) return run.fault(TOO_MANY);
    function* memberText(inner: JsonValue, key: string): Steps<string> {
      return `${quoted(key, run)}:${yield* checkInSteps(check, inner, run)}`;
    }
    return `{${yield* inRuns(membersOf(value), run, memberText)}}`;
  }
  return Object.assign(atOnce, { inSteps });
}

/** Members in canonical order. */
function* membersOf(value: JsonObject): Generator<readonly [string, JsonValue]> {
  for (const key of Object.keys(value).sort()) yield [key, value[key] ?? null];
}

/** Joins the texts of a collection run by run: joining a million texts at once would block the event loop. */
function* inRuns<Key extends string | number>(
  entries: Iterable<readonly [Key, JsonValue]>,
  run: CheckRun,
  toText: (inner: JsonValue, key: Key) => Steps<string>,
): Steps<string> {
  const level = run.depth;
  run.depth = level + 1;
  const runs: string[] = [];
  let texts: string[] = [];
  for (const [key, inner] of entries) {
    run.path[level] = key;
    texts.push(yield* toText(inner, key));
    if (run.full) break;
    if (texts.length < STEP) continue;
    runs.push(texts.join(','));
    texts = [];
    yield;
  }
  if (texts.length > 0) runs.push(texts.join(','));
  run.depth = level;
  return runs.join(',');
}

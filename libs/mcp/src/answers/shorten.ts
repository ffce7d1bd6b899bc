import { isJsonObject, stringifyJson, type JsonOutput, type JsonOutputObject } from '@stratalog/json';

/** How much of a value stays, from much to little: characters of a text, and elements of a list or members of an object. */
const LEVELS = [
  { characters: 8_000, elements: 500 },
  { characters: 2_000, elements: 100 },
  { characters: 500, elements: 30 },
  { characters: 120, elements: 10 },
  { characters: 40, elements: 3 },
] as const;
/** Deeper values are left out at the last level. */
const MAX_DEPTH = 8;

/** Shortens the texts, lists and objects in a value until its JSON text has at most `limit` characters. What is left out is counted in its place. */
export function shorten(value: JsonOutput, limit: number): JsonOutput {
  let text = stringifyJson(value);
  for (const level of LEVELS) {
    if (text.length <= limit) break;
    value = cut(value, level, 0);
    text = stringifyJson(value);
  }
  if (text.length <= limit) return value;
  return `${text.slice(0, limit / 4)}… (${String(text.length)} characters of JSON)`;
}

function cut(value: JsonOutput, level: (typeof LEVELS)[number], depth: number): JsonOutput {
  if (typeof value === 'string') return cutText(value, level.characters);
  if (Array.isArray(value)) {
    const list = value as readonly JsonOutput[];
    if (depth > MAX_DEPTH) return `… (${String(list.length)} elements)`;
    const kept = list.slice(0, level.elements).map((each) => cut(each, level, depth + 1));
    const more = list.length - kept.length;
    return more > 0 ? [...kept, `… (${String(more)} more elements)`] : kept;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value);
  if (depth > MAX_DEPTH) return `… (${String(members.length)} members)`;
  const kept = members
    .slice(0, level.elements)
    .map(([name, inner]) => [cutText(name, level.characters), cut(inner ?? null, level, depth + 1)] as const);
  const more = members.length - kept.length;
  return Object.fromEntries(more > 0 ? [...kept, ['…', `${String(more)} more members`]] : kept);
}

function isObject(value: JsonOutput): value is JsonOutputObject {
  return isJsonObject(value);
}

/** Cuts a text, but not between the halves of a character. */
function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… (${String(text.length - kept.length)} more characters)`;
}

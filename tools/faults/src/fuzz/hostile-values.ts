import type { SeededRandom } from '@stratalog/harness';
import { isJsonObject, parseJson, stringifyJson, type JsonValue } from '@stratalog/json';
import { HOSTILE_TEXTS } from '../hostile-texts';

const TEXTS = ['x'.repeat(3_000), ...HOSTILE_TEXTS] as const;
const LEAVES = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e308,
  9_007_199_254_740_993n,
  2n ** 63n,
  10n ** 300n,
] as const;
/** How deep something made up is nested. */
const DEPTH = 3;

export function hostileText(random: SeededRandom): string {
  if (random.chance(0.7)) return random.pick(TEXTS);
  return String.fromCharCode(
    ...Array.from({ length: random.integer(1, 20) }, () => random.integer(0, 0x17f)),
  );
}

export function hostileJson(random: SeededRandom, depth = 0): JsonValue {
  const kind = random.weighted({
    text: 4,
    leaf: 3,
    list: depth < DEPTH ? 1 : 0,
    object: depth < DEPTH ? 2 : 0,
  });
  const several = <T>(make: () => T): T[] => Array.from({ length: random.integer(0, 3) }, make);
  switch (kind) {
    case 'text':
      return hostileText(random);
    case 'leaf':
      return random.pick(LEAVES);
    case 'list':
      return several(() => hostileJson(random, depth + 1));
    case 'object':
      return Object.fromEntries(several(() => [hostileText(random), hostileJson(random, depth + 1)]));
  }
}

/** The value with something changed, added or left out somewhere inside; JSON inside a text included. */
export function mutated(random: SeededRandom, value: JsonValue): JsonValue {
  if (typeof value === 'string' && value.startsWith('{') && random.chance(0.8)) {
    return stringifyJson(mutated(random, parsedOr(value)));
  }
  if (!Array.isArray(value) && !isJsonObject(value)) return hostileJson(random);
  const entries: [string, JsonValue][] = Object.entries(value);
  const at = random.integer(0, Math.max(0, entries.length - 1));
  const chosen = entries[at];
  const kind = random.weighted({ change: 8, add: 1, remove: 1 });
  if (chosen === undefined || kind === 'add') entries.push([hostileText(random), hostileJson(random)]);
  else if (kind === 'remove') entries.splice(at, 1);
  else chosen[1] = mutated(random, chosen[1]);
  return Array.isArray(value) ? entries.map(([, element]) => element) : Object.fromEntries(entries);
}

function parsedOr(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

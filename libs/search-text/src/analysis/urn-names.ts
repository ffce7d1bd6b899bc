import { parseUrn } from '@stratalog/domain';
import { LRUCache } from 'lru-cache';
import { readablePath } from './field-paths';

export interface UrnNames {
  /** Names that match the urn: its id, the parts of a tuple, and the same of urns within it. */
  readonly names: readonly string[];
  /** The innermost parts that are no urns, in order and without the markers of paths: the readable text of the urn. */
  readonly leaves: readonly string[];
}

const MAX_CACHED = 2_000;
// A cache without effect on results: the names of a urn serve several fields, and tags, owners and platforms repeat.
const cache = new LRUCache<string, UrnNames>({ max: MAX_CACHED });

/** Returns the names of a urn; `undefined` for any other text. */
export function urnNames(text: string): UrnNames | undefined {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const names = findNames(text);
  if (names !== undefined) cache.set(text, names);
  return names;
}

function findNames(text: string): UrnNames | undefined {
  const parsed = parseUrn(text);
  if (!('urn' in parsed)) return undefined;
  const names = new Set([parsed.urn.id, ...parsed.urn.parts]);
  const leaves: string[] = [];
  for (const part of parsed.urn.parts) {
    const inner = urnNames(part);
    for (const name of inner?.names ?? []) names.add(name);
    leaves.push(...(inner?.leaves ?? [readablePath(part)]));
  }
  return { names: [...names], leaves };
}

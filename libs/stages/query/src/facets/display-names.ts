import { parseUrn, type SearchHit } from '@stratalog/model';
import type { SearchIndex } from '@stratalog/ports';

/** The search fields that hold the name of an entity as people know it, the best first. */
const NAME_FIELDS = ['displayName', 'fullName', 'title', 'name'] as const;

/** Most entities whose names one answer reads. */
const MAX_NAMED = 500;

/**
 * Reads the display names of entities from the index, by urn: of the first 500. An entity without one is left out.
 */
export async function readDisplayNames(
  index: SearchIndex,
  urns: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (urns.length === 0) return new Map();
  const values = await index.readValues(urns.slice(0, MAX_NAMED));
  return new Map(
    [...values].flatMap(([urn, own]) => {
      const name = displayName(own);
      return name === undefined ? [] : [[urn, name] as const];
    }),
  );
}

/** Returns the display name among the stored values of an entity. */
function displayName(values: SearchHit['values']): string | undefined {
  const names = NAME_FIELDS.flatMap((field) => values[field] ?? []);
  return names.map(String).find((name) => name.trim() !== '');
}

/** Returns the name of an entity within its urn: of `(platform,name,origin)` and `(tool,id)` the second part. */
export function nameInUrn(urn: string): string {
  const parsed = parseUrn(urn);
  if (!('urn' in parsed)) return urn;
  const { parts } = parsed.urn;
  return parts[1] ?? parts[0] ?? urn;
}

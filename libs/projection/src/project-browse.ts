import {
  BROWSE_SEPARATORS,
  browseFacet,
  browseFilterField,
  listedAt,
  parseUrn,
  within,
  type FieldValue,
  type FilterKeys,
  type SearchField,
} from '@stratalog/domain';
import { toFilterToken } from '@stratalog/search-text';

/** Most paths of an entity, and most steps of a path, that browsing shows. */
const MAX_PATHS = 100;
const MAX_STEPS = 32;

/** The entry by which browsing finds an entity in an index. */
export interface BrowseEntry {
  readonly facets: Readonly<Record<string, readonly string[]>>;
  readonly filters: Readonly<Record<string, FilterKeys>>;
}

const NOTHING: BrowseEntry = { facets: {}, filters: {} };

/**
 * Projects the browse paths of an entity: the folders that list it, the folders it lies within, and, by depth, the folders
 * on the way to it.
 *
 * Old paths end with the name of the entity itself. It is listed in the folder above too, and its own name is no folder.
 *
 * **Source**: `docs/wire-decisions.md`, Browsing.
 */
export function projectBrowse(field: SearchField, urn: string, values: readonly FieldValue[]): BrowseEntry {
  const separator = BROWSE_SEPARATORS.get(field.type);
  if (separator === undefined) return NOTHING;
  const parts = separator === '/' ? readParts(urn) : [];
  const listing = new Set<string>();
  const inside = new Set<string>();
  const levels = new Map<number, Set<string>>();
  for (const path of values.slice(0, MAX_PATHS).map(String)) {
    const steps = path
      .split(separator)
      .slice(1, MAX_STEPS + 1)
      .filter((step) => step !== '');
    const folders = ['', ...steps.map((_, at) => joined(separator, steps.slice(0, at + 1)))];
    const endsWithItself = isNameIn(parts, steps.at(-1)?.toLowerCase() ?? '');
    const depth = endsWithItself ? steps.length - 1 : steps.length;
    for (const folder of folders.slice(depth)) listing.add(folder);
    for (const [at, folder] of folders.slice(0, depth + 1).entries()) {
      if (at < depth) inside.add(folder);
      if (at > 0) levels.set(at, (levels.get(at) ?? new Set()).add(folder));
    }
  }
  const tokens = [...[...listing].map(listedAt), ...[...inside].map(within)].map(toFilterToken);
  return {
    facets: Object.fromEntries(
      [...levels].map(([depth, folders]) => [browseFacet(field.name, depth), [...folders]]),
    ),
    filters: tokens.length === 0 ? {} : { [browseFilterField(field.name)]: { tokens, keys: [] } },
  };
}

function joined(separator: string, steps: readonly string[]): string {
  return steps.map((step) => separator + step).join('');
}

function readParts(urn: string): readonly string[] {
  const parsed = parseUrn(urn);
  return 'urn' in parsed ? parsed.urn.parts : [];
}

/** True for a name by which a path may call the entity, in lower case: a part of its id, or the last word of one. */
function isNameIn(parts: readonly string[], name: string): boolean {
  return parts.some(
    (part) =>
      part.toLowerCase() === name ||
      part.slice(part.lastIndexOf('.') + 1).toLowerCase() === name ||
      part.slice(part.lastIndexOf('/') + 1).toLowerCase() === name,
  );
}

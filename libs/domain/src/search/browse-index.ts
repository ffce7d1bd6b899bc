import type { SearchFieldType } from './search-field';

/** The character that begins each step of a path, by the type of the field. */
export const BROWSE_SEPARATORS: ReadonlyMap<SearchFieldType, string> = new Map([
  ['BROWSE_PATH', '/'],
  ['BROWSE_PATH_V2', '\u241f'],
]);

/** Returns the facet that counts the folders of one depth, from 1, on the way to entities. */
export function browseFacet(field: string, depth: number): string {
  return `${field}/${String(depth)}`;
}

/** True when a facet counts folders. */
export function isFolderFacet(field: string): boolean {
  return field.includes('/');
}

/** Returns the filter field that holds an entity's places: the values of {@link listedAt} and {@link within}. */
export function browseFilterField(field: string): string {
  return `${field}/`;
}

/** The filter value of an entity that the folder lists itself. The root is the empty text. */
export function listedAt(folder: string): string {
  return `at ${folder}`;
}

/** The filter value of an entity in a folder below this one. */
export function within(folder: string): string {
  return `in ${folder}`;
}

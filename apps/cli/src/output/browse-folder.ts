import type { JsonObject } from '@stratalog/model';
import { numberOf, objectOf, toList, toText } from './json-parts';

/** A folder of the catalog, with the first of its folders and entities. */
export interface Folder {
  readonly groups: readonly FolderGroup[];
  readonly entities: readonly { readonly name: string; readonly urn: string }[];
  /** Number of further folders and entities. */
  readonly more: number;
}

interface FolderGroup {
  readonly name: string;
  /** Number of entities in it, at any depth. */
  readonly count: number;
  /** Its content, when that was read. */
  readonly inner?: Folder;
}

/** A folder as JSON, in the form of {@link Folder}. */
export function folderJson({ groups, entities, more }: Folder): JsonObject {
  return {
    groups: groups.map(({ name, count, inner }) => ({
      name,
      count,
      ...(inner === undefined ? {} : { inner: folderJson(inner) }),
    })),
    entities: entities.map((entity) => ({ ...entity })),
    more,
  };
}

/** Parses the answer to `browse`. */
export function parseFolder(body: JsonObject): Folder {
  const value = objectOf(body.value);
  const groups = toList(value.groups)
    .map(objectOf)
    .map(({ name, count }) => ({ name: toText(name), count: numberOf(count) }));
  const entities = toList(value.entities)
    .map(objectOf)
    .map(({ name, urn }) => ({ name: toText(name), urn: toText(urn) }));
  return {
    groups,
    entities,
    more: Math.max(numberOf(value.numElements) - groups.length - entities.length, 0),
  };
}

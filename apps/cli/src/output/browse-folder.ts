import type { AnswerOf } from '@stratalog/client';
import type { JsonObject } from '@stratalog/json';

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

/** Makes a folder of the answer to `browse`. */
export function toFolder({
  groups,
  entities,
  numElements,
}: AnswerOf<'POST /entities?action=browse'>): Folder {
  return { groups, entities, more: Math.max(numElements - groups.length - entities.length, 0) };
}

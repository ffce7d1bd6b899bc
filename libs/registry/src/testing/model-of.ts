import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { EntityRegistry } from '../model/entity-registry';
import { loadModel, type ModelOptions } from '../model/load-model';

/** Texts by file name. */
export type ModelFiles = Readonly<Record<string, string>>;

/**
 * Loads a model from texts, one folder for each argument. It writes temporary folders and removes them after loading.
 */
export async function modelOf(
  folders: readonly ModelFiles[],
  options: Omit<ModelOptions, 'folders'> = {},
): Promise<EntityRegistry> {
  const root = await mkdtemp(join(tmpdir(), 'stratalog-model-'));
  try {
    const paths = folders.map((_, index) => join(root, `folder-${String(index + 1)}`));
    for (const [index, files] of folders.entries()) {
      await mkdir(paths[index] ?? root, { recursive: true });
      for (const [name, text] of Object.entries(files)) {
        const file = join(paths[index] ?? root, name);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text);
      }
    }
    return await loadModel({ ...options, folders: paths });
  } finally {
    await rm(root, { recursive: true });
  }
}

/** A small model with most kinds of types, for the specs of this library. */
export const library: ModelFiles = {
  'entity-registry.yml': `
entities:
  - name: book
    doc: A printed work.
    category: core
    keyAspect: bookKey
    aspects: [bookInfo, loans, status]
  - name: shelf
    keyAspect: shelfKey
    aspects:
      - status
  - name: reader
    keyAspect: readerKey
events:
`,
  'common/Urn.pdl': 'namespace com.linkedin.common @Urn typeref Urn = string',
  'common/ShelfUrn.pdl':
    'namespace com.linkedin.common @Urn = {"entityType": "shelf"} typeref ShelfUrn = Urn',
  'common/Status.pdl': `namespace com.linkedin.common
    @Aspect = {"name": "status"}
    record Status { @Searchable = {"fieldType": "BOOLEAN"} removed: boolean = false }`,
  'key/BookKey.pdl': `namespace com.linkedin.key
    import com.linkedin.common.ShelfUrn
    @Aspect = {"name": "bookKey"}
    record BookKey {
      shelf: ShelfUrn
      @Searchable = {"fieldName": "id", "fieldType": "WORD_GRAM", "enableAutocomplete": true, "boostScore": 10.0}
      title: string
      binding: enum Binding { HARD, SOFT }
    }`,
  'key/ShelfKey.pdl': `namespace com.linkedin.key
    @Aspect = {"name": "shelfKey"} record ShelfKey { room: string }`,
  'key/ReaderKey.pdl': `namespace com.linkedin.key
    @Aspect = {"name": "readerKey"} record ReaderKey { name: string, card: string }`,
  'book/BookInfo.pdl': `namespace com.linkedin.book
    import com.linkedin.common.ShelfUrn
    import com.linkedin.common.Urn
    import com.linkedin.key.Binding
    @Aspect = {"name": "bookInfo"}
    record BookInfo includes Described {
      pages: optional int
      isbn: optional long
      weight: optional double
      binding: optional Binding
      author: optional Urn
      home: optional ShelfUrn
      cover: optional bytes
      checksum: optional fixed Checksum 4
      tags: array[string] = []
      chapters: optional array[Chapter]
      origin: optional union[string, Bought, gift: Urn]
      rating: optional union[null, double]
      toString: optional string
    }`,
  'book/Described.pdl': `namespace com.linkedin.book
    record Described {
      title: string
      properties: map[string, string] = {}
    }`,
  'book/Bought.pdl': 'namespace com.linkedin.book record Bought { price: double, at: optional string }',
  'book/Chapter.pdl': `namespace com.linkedin.book
    record Chapter { title: string, sections: array[Chapter] = [] }`,
  'book/Loans.pdl': `namespace com.linkedin.book
    @Aspect = {"name": "loans", "type": "timeseries"}
    record Loans { timestampMillis: long, @TimeseriesField = {} count: optional int }`,
};

/** A model with one aspect, whose record has these lines as fields. */
export function oneAspect(fields: string, more: ModelFiles = {}): ModelFiles {
  return {
    'entity-registry.yml': 'entities: [{name: thing, keyAspect: thingKey, aspects: [thingInfo]}]',
    'ThingKey.pdl': '@Aspect = {"name": "thingKey"} record ThingKey { id: string }',
    'ThingInfo.pdl': `@Aspect = {"name": "thingInfo"} record ThingInfo {\n${fields}\n}`,
    ...more,
  };
}

import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@stratalog/json';

/** The aspect that counts its increments. */
export const COUNTER = 'datasetProperties';
/** The aspect in which each racer has an element of its own. */
export const MARKS = 'globalTags';

/** The content of a counter: a number, and the racer whose write set it. */
export interface Count {
  readonly count: number;
  readonly by: string;
}

export function counterValue({ count, by }: Count): JsonObject {
  return { customProperties: { by, count: String(count) } };
}

/** `undefined` when no racer can have written the value. */
export function countIn(value: JsonValue | undefined): Count | undefined {
  const properties = isJsonObject(value) ? value.customProperties : undefined;
  if (!isJsonObject(properties)) return undefined;
  const { count, by } = properties;
  return typeof count === 'string' && typeof by === 'string' ? { count: Number(count), by } : undefined;
}

/** Replaces one number by another, if it is still the stored one. */
export function counterPatch(from: number, { count, by }: Count): JsonValue {
  return [
    { op: 'test', path: '/customProperties/count', value: String(from) },
    { op: 'replace', path: '/customProperties/count', value: String(count) },
    { op: 'replace', path: '/customProperties/by', value: by },
  ];
}

/** A racer's content in its element: ascending numbers. */
export interface Mark {
  readonly racer: number;
  readonly number: number;
}

export function markPatch({ racer, number }: Mark): JsonValue {
  const tag = `urn:li:tag:racer.${String(racer)}`;
  return [{ op: 'add', path: `/tags/${tag}`, value: { tag, context: String(number) } }];
}

/** The last number of each racer. */
export function marksIn(text: string): ReadonlyMap<number, number> {
  const value = parseJson(text);
  const tags = isJsonObject(value) && Array.isArray(value.tags) ? value.tags : [];
  return new Map(
    tags.filter(isJsonObject).map(({ tag, context }) => {
      const racer = typeof tag === 'string' ? tag.split('.')[1] : undefined;
      return [Number(racer), Number(context)];
    }),
  );
}

import { isJsonObject, type JsonValue, parseJson, stringifyJson, withoutNul } from '@stratalog/json';
import type { TimeseriesIdentity } from '../entities/timeseries-value';
import { timeseriesFieldKey, type TimeseriesField } from './timeseries-field';

/** The entry of one value in an index of timeseries values. */
export interface TimeseriesEntry extends TimeseriesIdentity {
  readonly urn: string;
  readonly aspectName: string;
  /** Sequence number of the change that wrote the value. */
  readonly seq: number;
  /** The fields of the value itself. */
  readonly fields: EntryFields;
  /** The fields of each element of its lists. */
  readonly elements: readonly EntryFields[];
  /** The fields that an index cannot represent exactly, by key. */
  readonly inexact: readonly string[];
}

/** Fields by `timeseriesFieldKey`: numbers of kind `number`, else texts. */
export type EntryFields = Readonly<Record<string, string | number>>;

/** Number of bytes up to which engines take a text as one term. */
const MAX_TEXT_BYTES = 30_000;
/** Largest entry: engines take larger documents, but not with any number of elements. */
const MAX_ENTRY_BYTES = 1_000_000;
const MAX_ELEMENTS = 5_000;
/** Numbers of this size have the same digits in JSON, PostgreSQL and engines, also with a fraction. */
const MAX_NUMBER = 2 ** 53;
const MIN_FRACTION = 1e-6;

interface Projection {
  readonly inexact: Set<string>;
}

/**
 * Projects a stored timeseries value to the entry of an index, with the given fields. Texts are those that PostgreSQL has for
 * the same fields, so that both answer statistics alike.
 */
export function projectTimeseriesValue(
  fields: readonly TimeseriesField[],
  {
    value,
    urn,
    aspectName,
    timestampMs,
    valueKey,
    seq,
  }: TimeseriesIdentity & {
    readonly urn: string;
    readonly aspectName: string;
    readonly seq: number;
    /** JSON text. */
    readonly value: string;
  },
): TimeseriesEntry {
  const parsed = parseJson(value);
  const projection: Projection = { inexact: new Set() };
  const ofElements = fields.filter(({ source }) => source === 'element');
  const ofValue = fields.filter(({ source }) => source === 'value');
  const entry = {
    urn,
    aspectName,
    timestampMs,
    valueKey,
    seq,
    fields: readFields(projection, ofValue, (field) => findMember(parsed, field.path)),
    elements: [...groupByList(ofElements)].flatMap(([list, own]) =>
      listElements(findMember(parsed, [list]))
        .map((element) => readFields(projection, own, ({ path }) => findMember(element, path.slice(1))))
        .filter((element) => Object.keys(element).length > 0),
    ),
    inexact: [...projection.inexact],
  };
  return isTooLarge(entry) ? withoutFields(entry, fields) : entry;
}

/** Makes the entry of a value that an index cannot hold: it counts, and queries that name one of `fields` go to the store. */
export function withoutFields(
  { urn, aspectName, timestampMs, valueKey, seq }: Omit<TimeseriesEntry, 'fields' | 'elements' | 'inexact'>,
  fields: readonly TimeseriesField[],
): TimeseriesEntry {
  const inexact = fields.map(timeseriesFieldKey);
  return { urn, aspectName, timestampMs, valueKey, seq, fields: {}, elements: [], inexact };
}

function isTooLarge({ fields, elements }: TimeseriesEntry): boolean {
  if (elements.length > MAX_ELEMENTS) return true;
  let bytes = 0;
  for (const each of [fields, ...elements]) {
    for (const value of Object.values(each))
      bytes += typeof value === 'string' ? Buffer.byteLength(value) : 8;
  }
  return bytes > MAX_ENTRY_BYTES;
}

function groupByList(fields: readonly TimeseriesField[]): ReadonlyMap<string, readonly TimeseriesField[]> {
  const lists = new Map<string, TimeseriesField[]>();
  for (const field of fields) {
    const [list = ''] = field.path;
    lists.set(list, [...(lists.get(list) ?? []), field]);
  }
  return lists;
}

function listElements(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function readFields(
  { inexact }: Projection,
  fields: readonly TimeseriesField[],
  read: (field: TimeseriesField) => JsonValue | undefined,
): EntryFields {
  const found: Record<string, string | number> = {};
  for (const field of fields) {
    const value = read(field) ?? readFallback(field);
    if (value === undefined) continue;
    const key = timeseriesFieldKey(field);
    const represented = represent(field, value);
    if (represented === undefined) inexact.add(key);
    else found[key] = represented;
  }
  return found;
}

function readFallback({ kind, fallback }: TimeseriesField): JsonValue | undefined {
  return kind === 'number' && fallback !== undefined ? parseJson(fallback) : fallback;
}

function findMember(
  value: JsonValue | undefined,
  [first, ...rest]: readonly string[],
): JsonValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (first === undefined) return value;
  return isJsonObject(value) && Object.hasOwn(value, first) ? findMember(value[first], rest) : undefined;
}

/** Returns `undefined` for a value that would not be the same in every store. */
function represent({ kind }: TimeseriesField, value: JsonValue): string | number | undefined {
  switch (kind) {
    case 'number':
      return typeof value === 'number' && isPlain(value) ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' || value === 'true' || value === 'false' ? String(value) : undefined;
    case 'text':
      return typeof value === 'string' ? bound(withoutNul(value)) : undefined;
    case 'json': {
      const text = formatJsonb(value);
      return text === undefined ? undefined : bound(text);
    }
    default:
      return kind satisfies never;
  }
}

function isPlain(value: number): boolean {
  const size = Math.abs(value);
  return size <= MAX_NUMBER && (size >= MIN_FRACTION || size === 0) && !Object.is(value, -0);
}

function bound(text: string): string | undefined {
  return Buffer.byteLength(text) > MAX_TEXT_BYTES ? undefined : text;
}

/** Formats JSON as PostgreSQL's `jsonb` does; `undefined` when a number would have other digits there. */
function formatJsonb(value: JsonValue): string | undefined {
  if (typeof value === 'string') return JSON.stringify(withoutNul(value));
  if (typeof value === 'number') return isPlain(value) ? String(value) : undefined;
  if (Array.isArray(value)) return join('[', value.map(formatJsonb), ']');
  if (!isJsonObject(value)) return stringifyJson(value);
  const members = Object.entries(value)
    .map(([name, member]) => ({ name: withoutNul(name), member }))
    .toSorted((a, b) => compareNames(a.name, b.name));
  return join(
    '{',
    members.map(({ name, member }) => {
      const text = formatJsonb(member);
      return text === undefined ? undefined : `${JSON.stringify(name)}: ${text}`;
    }),
    '}',
  );
}

function join(open: string, parts: readonly (string | undefined)[], close: string): string | undefined {
  return parts.includes(undefined) ? undefined : `${open}${parts.join(', ')}${close}`;
}

/** Shorter names first, then by bytes. */
function compareNames(a: string, b: string): number {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length - other.length || Buffer.compare(one, other);
}

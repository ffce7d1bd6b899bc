import { createHash } from 'node:crypto';
import { timeseriesValueId, type EntryFields, type TimeseriesEntry } from '@stratalog/domain';

/** A timeseries value in the form that the engine stores. Elements repeat what their value has, so that groups can use it. */
interface ValueDocument extends FieldValues {
  readonly urn: string;
  readonly aspect: string;
  /** Epoch ms. */
  readonly t: number;
  readonly key: string;
  readonly seq: number;
  /** Fields that the document does not represent exactly, and those whose numbers a sum could round. */
  readonly marks: readonly string[];
  /** The elements of lists. */
  readonly e: readonly (FieldValues & { readonly urn: string; readonly t: number })[];
}

interface FieldValues {
  /** Texts of all fields. */
  readonly x: Readonly<Record<string, string>>;
  /** Fields of kind `number` again, as numbers. */
  readonly n: Readonly<Record<string, number>>;
}

/** Up to this size, a sum of whole numbers is exact for {@link MAX_SUMMED} of them. */
const MAX_ADDEND = 2 ** 31;
export const MAX_SUMMED = 2 ** 53 / MAX_ADDEND;

/** The id of the document of a value. */
export function toValueId(ref: Parameters<typeof timeseriesValueId>[0]): string {
  return createHash('sha256').update(timeseriesValueId(ref)).digest('base64url');
}

/** The mark of values whose field a sum could round. */
export function sumMark(fieldKey: string): string {
  return `sum ${fieldKey}`;
}

export function toValueDocument(entry: TimeseriesEntry): ValueDocument {
  const { urn, aspectName, timestampMs, valueKey, seq, fields, elements, inexact } = entry;
  const unsummed = [fields, ...elements].flatMap((each) =>
    Object.entries(each).flatMap(([key, value]) =>
      typeof value === 'number' && !isAddend(value) ? [sumMark(key)] : [],
    ),
  );
  return {
    urn,
    aspect: aspectName,
    t: timestampMs,
    key: valueKey,
    seq,
    marks: [...new Set([...inexact, ...unsummed])],
    ...toFieldValues(fields),
    e: elements.map((element) => ({ urn, t: timestampMs, ...toFieldValues(element) })),
  };
}

function isAddend(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= MAX_ADDEND;
}

function toFieldValues(fields: EntryFields): FieldValues {
  const entries = Object.entries(fields);
  return {
    x: Object.fromEntries(entries.map(([key, value]) => [key, String(value)])),
    n: Object.fromEntries(entries.filter((each): each is [string, number] => typeof each[1] === 'number')),
  };
}

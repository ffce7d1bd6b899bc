import type { JsonObject } from '@stratalog/json';

/** The aspects that the writers write. */
export const PROSE_ASPECTS = [
  'datasetProperties',
  'editableDatasetProperties',
  'viewProperties',
  'deprecation',
  'globalTags',
] as const;
/** Has only two values, so that the same value comes again and again. */
export const STATUS_ASPECT = 'status';
export type SentAspect = (typeof PROSE_ASPECTS)[number] | typeof STATUS_ASPECT;

const NUMBER = /\bsend (\d+)\b/;
const WORDS = 'orders customers invoices parcels returns prices stock routes wheels frames'.split(' ');
/** Some values are long. */
const LONG_EVERY = 50;

/** Returns the value of a number: equal numbers are equal values. `status` has only 0 and 1. */
export function sentValue(aspectName: SentAspect, number: number): JsonObject {
  switch (aspectName) {
    case 'datasetProperties':
      return { description: prose(number), customProperties: { send: String(number) } };
    case 'editableDatasetProperties':
      return { description: prose(number) };
    case 'viewProperties':
      return { materialized: number % 2 === 0, viewLogic: prose(number), viewLanguage: 'SQL' };
    case 'deprecation':
      return { deprecated: number % 2 === 0, note: prose(number), actor: 'urn:li:corpuser:faults' };
    case 'globalTags':
      return { tags: tagsOf(number).map((tag) => ({ tag, context: prose(number) })) };
    case 'status':
      return { removed: number % 2 === 1 };
  }
}

/** Returns the number of a stored value; `undefined` when the writers cannot have sent it. */
export function numberOfValue(aspectName: string, value: string): number | undefined {
  if (aspectName === STATUS_ASPECT) return value.includes('true') ? 1 : 0;
  const found = NUMBER.exec(value)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** One or two, so that consecutive values share some edges. */
function tagsOf(number: number): readonly string[] {
  const names = [number % 5, 5 + (number % 3)].slice(0, 1 + (number % 2));
  return names.map((name) => `urn:li:tag:faults.${String(name)}`);
}

function prose(number: number): string {
  const length = number % LONG_EVERY === 0 ? 900 : 4 + (number % 40);
  const words = Array.from({ length }, (_, at) => WORDS[(number * 7 + at * at) % WORDS.length]);
  return `send ${number}: "${words.join(' ')}"\n\u00fcber \u{1f6b2} C:\\tables`;
}

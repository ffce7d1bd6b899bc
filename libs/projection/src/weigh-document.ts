import type { FieldTokens, FieldValue } from '@stratalog/domain';

/** The field of the environment of an asset, and its value for production. */
const ENVIRONMENT = 'origin';
const PRODUCTION = 'PROD';
const NOT_PRODUCTION = 0.97;

/** Names of copies: `orders_backup`, `orders_tmp_3`, `orders-20240131`. */
const COPY =
  /(?:^|[^a-z])(?:backup|bak|bkp|copy|old|sandbox|temp|tmp|test)(?:$|[^a-z])|(?:^|[^0-9])20[0-9]{6}(?:$|[^0-9])/i;
const IS_COPY = 0.9;

/** Names of versions, which are compared without them: `shop.orders.v1`. */
const VERSIONED = /\.v[0-9]+$/i;
const IS_VERSION = 0.995;

/** Fields that people fill for an asset that they care about. Each that is empty lowers the weight. */
const DOCUMENTATION = [
  ['description', 'editedDescription'],
  ['owners'],
  ['tags', 'glossaryTerms'],
  ['domains'],
];
const UNDOCUMENTED = 0.99;

/**
 * Computes the factor of an entity's score that words and annotations do not decide. With equal words these rank higher:
 * short names above long ones, production above other environments, originals above copies, documented assets above others.
 *
 * **Units**: from about 0.67 to 1.
 */
export function weighDocument(
  values: ReadonlyMap<string, readonly FieldValue[]>,
  names: { readonly tokens: FieldTokens; readonly written: readonly string[] },
): number {
  const hasValue = (field: string): boolean => (values.get(field)?.length ?? 0) > 0;
  const environments = values.get(ENVIRONMENT) ?? [];
  const isElsewhere = environments.length > 0 && !environments.includes(PRODUCTION);
  const areAll = (form: RegExp): boolean =>
    names.written.length > 0 && names.written.every((name) => form.test(name));
  const missing = DOCUMENTATION.filter((fields) => !fields.some(hasValue)).length;
  return (
    rateBrevity(names.tokens) *
    (isElsewhere ? NOT_PRODUCTION : 1) *
    (areAll(COPY) ? IS_COPY : 1) *
    (areAll(VERSIONED) ? IS_VERSION : 1) *
    UNDOCUMENTED ** missing
  );
}

/**
 * Rates the length of the shortest name: with equal words, `orders` ranks above `orders_backup_2024`.
 *
 * **Units**: from 0.8 for names of 200 characters, which none exceeds, to 1.
 */
function rateBrevity({ completions }: Pick<FieldTokens, 'completions'>): number {
  return completions.length === 0 ? 1 : 1 - Math.min(...completions.map((name) => name.length)) / 1_000;
}

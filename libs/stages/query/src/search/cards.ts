import { findPlatform, parseUrn, type SearchHit } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { displayName, nameInUrn } from '../facets/display-names';

type Values = SearchHit['values'];

/** The search fields with urns that a card shows. */
const PLATFORM = 'platform';
const LISTS = ['owners', 'tags', 'domains'] as const;
/** What people wrote goes before what a connector found. */
const DESCRIPTIONS = ['editedDescription', 'description', 'definition'] as const;
/** Most entities that one list of a card names. */
const MAX_NAMED = 5;
/** Two lines of a page, on any screen. */
const MAX_DESCRIPTION = 300;

/** Lists the owners of an entity that its card names. */
export function ownersInCard(values: Values): readonly string[] {
  return textsOf(values, 'owners').slice(0, MAX_NAMED);
}

/** Lists the urns whose names the cards of hits show. */
export function urnsInCards(hits: readonly SearchHit[]): readonly string[] {
  return [
    ...new Set(
      hits.flatMap(({ urn, values }) => [
        ...findPlatformUrn(urn, values),
        ...LISTS.flatMap((field) => textsOf(values, field).slice(0, MAX_NAMED)),
      ]),
    ),
  ];
}

/**
 * Makes the card of a hit: what people recognize an entity by, as the index has it.
 *
 * **Shape**: `{name, subtype, platform: {urn, name}, description, owners: {total, entities: [{urn, name}]}, tags, domains}`; all but the name
 * are absent where the entity has none. A description of more than 300 characters ends with `…`.
 */
export function toCard(
  { urn, values }: Pick<SearchHit, 'urn' | 'values'>,
  names: ReadonlyMap<string, string>,
): JsonOutputObject {
  const toNamed = (each: string): JsonOutputObject => ({
    urn: each,
    name: names.get(each) ?? nameInUrn(each),
  });
  const [subtype] = textsOf(values, 'typeNames');
  const [platform] = findPlatformUrn(urn, values);
  const description = DESCRIPTIONS.flatMap((field) => textsOf(values, field)).find(
    (text) => text.trim() !== '',
  );
  return {
    name: displayName(values) ?? nameInUrn(urn),
    ...(subtype === undefined ? {} : { subtype }),
    ...(platform === undefined ? {} : { platform: toNamed(platform) }),
    ...(description === undefined ? {} : { description: shorten(description.trim()) }),
    ...Object.fromEntries(
      LISTS.flatMap((field) => {
        const urns = textsOf(values, field);
        const entities = urns.slice(0, MAX_NAMED).map(toNamed);
        return urns.length === 0 ? [] : [[field, { total: urns.length, entities }]];
      }),
    ),
  };
}

/** The platform in the document, else that in the urn: of a chart its tool, of a job that of its flow. At most one. */
function findPlatformUrn(urn: string, values: Values): readonly string[] {
  const stored = textsOf(values, PLATFORM).slice(0, 1);
  const name = findPlatform(urn);
  const parsed = parseUrn(urn);
  if (stored.length > 0 || name === undefined || 'fault' in parsed) return stored;
  return [`urn:${parsed.urn.namespace}:dataPlatform:${name}`];
}

function textsOf(values: Values, field: string): readonly string[] {
  return (values[field] ?? []).map(String);
}

/** Cuts a text, but not between the halves of a character. */
function shorten(text: string): string {
  if (text.length <= MAX_DESCRIPTION) return text;
  return `${text.slice(0, MAX_DESCRIPTION - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

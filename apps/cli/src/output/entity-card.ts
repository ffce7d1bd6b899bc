import { parseUrn } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import { toText } from './json-parts';

/** The features by which people recognize an entity. */
export interface EntityCard {
  readonly urn: string;
  readonly type: string;
  /** As people know it; without one, the name in the urn. */
  readonly name: string;
  /** Empty when the entity has none. */
  readonly platform: string;
  /** Empty when the entity has none. */
  readonly description: string;
}

/** The members that hold a name or a description, the best first. */
const NAMES = ['displayName', 'fullName', 'title', 'name'];
const DESCRIPTIONS = ['description', 'editableDescription', 'definition', 'about'];
/** The aspects of types that do not follow the rule of {@link cardAspects}. */
const OTHER_ASPECTS: Readonly<Record<string, readonly string[]>> = {
  corpuser: ['corpUserInfo', 'corpUserEditableInfo'],
  corpGroup: ['corpGroupInfo', 'corpGroupEditableInfo'],
  document: ['documentInfo'],
};

/** Lists the aspects that cards are made of. A type of a user's own that follows the usual names has a card too. */
export function cardAspects(types: Iterable<string>): readonly string[] {
  return [
    ...new Set(
      [...types].flatMap(
        (type) =>
          OTHER_ASPECTS[type] ?? [
            `editable${type.charAt(0).toUpperCase()}${type.slice(1)}Properties`,
            `${type}Properties`,
            `${type}Info`,
          ],
      ),
    ),
  ];
}

/** Aspects by their names, as a read answers them. */
export type Aspects = Readonly<Record<string, { readonly value: JsonObject }>>;

/** Makes the card of an entity; without aspects, of what its urn says. */
export function toCard(urn: string, aspects: Aspects = {}): EntityCard {
  const type = readType(urn);
  const values = cardAspects([type]).flatMap((name): JsonObject[] => {
    const value = aspects[name]?.value;
    return value === undefined ? [] : [value];
  });
  return {
    urn,
    type,
    name: firstText(values, NAMES) || nameInUrn(urn),
    platform: findPlatform(urn, values),
    description: firstText(values, DESCRIPTIONS),
  };
}

export function readType(urn: string): string {
  return urn.split(':')[2] ?? '';
}

function firstText(values: readonly JsonObject[], members: readonly string[]): string {
  const texts = members.flatMap((member) => values.map((value) => toText(value[member]).trim()));
  return texts.find((text) => text !== '') ?? '';
}

/** Of `(platform,name,origin)` and `(tool,id)` the second part. */
function nameInUrn(urn: string): string {
  const [first, second] = listParts(urn);
  // A text that is no urn, from a foreign catalog, has no parts.
  return second ?? first ?? (urn.split(':').slice(3).join(':') || urn);
}

function findPlatform(urn: string, values: readonly JsonObject[]): string {
  const texts = [urn, ...values.map(({ platform }) => toText(platform))];
  const named = /urn:[^:]+:dataPlatform:([^,)\s]+)/.exec(texts.join(' '))?.[1];
  if (named !== undefined) return named;
  // The tool of a chart or a flow, also of the flow of a job.
  const [tool, ...others] = listParts(urn);
  if (tool === undefined || others.length === 0) return '';
  return listParts(tool)[0] ?? tool;
}

function listParts(urn: string): readonly string[] {
  const parsed = parseUrn(urn);
  return 'urn' in parsed ? parsed.urn.parts : [];
}

import type { AnswerOf } from '@stratalog/client';
import type { JsonObject, JsonValue } from '@stratalog/json';
import { isSystem, isUrn, nameFromUrn, splitUrn } from './urns';
import { typeInWords } from './words';

export type Entity = AnswerOf<'GET /entitiesV2/:urn'>;
/** A value with its author and version. */
export type WrittenAspect = Entity['aspects'][string];

/** What lists show of an entity. */
export interface EntityCard {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** "Table" where a subtype says so, else the type in words. */
  readonly kind: string;
  readonly platform?: string;
  /** The containers, from the outside: urns, or plain names. */
  readonly path: readonly string[];
  readonly description?: string;
  readonly owners: readonly string[];
  readonly tags: readonly string[];
  readonly domain?: string;
  readonly isDeprecated: boolean;
  readonly isRemoved: boolean;
  /** The colour that a tag names for itself. */
  readonly colour?: string;
  /** False: nothing was read, the card is made from the urn. */
  readonly isKnown: boolean;
}

const NAME_FIELDS = ['displayName', 'name', 'title', 'fullName'] as const;
export const TEXT_FIELDS: readonly string[] = ['description', 'definition', 'customPlatformDescription'];
/** Aspects that describe the entity itself, whatever its type: those that people edit come first. */
const DESCRIBES = /(?:Properties|Info|Key)$/i;
const COMMON = [
  'subTypes',
  'ownership',
  'globalTags',
  'domains',
  'deprecation',
  'status',
  'browsePathsV2',
  'dataPlatformInstance',
];

/** The aspects that a card is made from, among all of the model. */
export function cardAspects(all: readonly string[]): readonly string[] {
  return all.filter((name) => COMMON.includes(name) || isDescribing(name));
}

/** True for aspects that describe the entity; `structuredProperties` and the like hold values of others. */
export function isDescribing(name: string): boolean {
  return DESCRIBES.test(name) && !/^(?:structured|upstream)/.test(name);
}

export function toCard(entity: Entity): EntityCard {
  const { urn, entityName: type } = entity;
  const describing = describingValues(entity);
  const platform = [
    aspect(entity, 'dataPlatformInstance')?.platform,
    ...describing.map(({ platform: each }) => each),
  ].find(isUrn);
  const name = firstText(describing, NAME_FIELDS);
  const description = firstText(describing, TEXT_FIELDS);
  const [subtype] = list(aspect(entity, 'subTypes')?.typeNames);
  const [domain] = list(aspect(entity, 'domains')?.domains).filter(isUrn);
  const steps = list(aspect(entity, 'browsePathsV2')?.path).flatMap((step) => {
    const { urn: of, id } = isObject(step) ? step : {};
    return isUrn(of) ? [of] : typeof id === 'string' ? [id] : [];
  });
  const colour = describing.map(({ colorHex }) => colorHex).find((each) => typeof each === 'string');
  return {
    urn,
    type,
    name: name ?? nameFromUrn(urn),
    kind: typeof subtype === 'string' ? subtype : kindFromUrn(urn),
    ...(platform === undefined ? {} : { platform }),
    path: steps.length === 0 ? pathFromUrn(urn) : steps,
    ...(description === undefined ? {} : { description }),
    owners: [...new Set(members(aspect(entity, 'ownership')?.owners, 'owner'))],
    tags: members(aspect(entity, 'globalTags')?.tags, 'tag'),
    ...(domain === undefined ? {} : { domain }),
    isDeprecated: aspect(entity, 'deprecation')?.deprecated === true,
    isRemoved: aspect(entity, 'status')?.removed === true,
    ...(colour === undefined ? {} : { colour }),
    isKnown: true,
  };
}

/** The card of an entity that could not be read. */
export function cardFromUrn(urn: string): EntityCard {
  const { type } = splitUrn(urn);
  const base = { urn, type, name: nameFromUrn(urn), kind: kindFromUrn(urn), owners: [], tags: [] };
  return { ...base, path: pathFromUrn(urn), isDeprecated: false, isRemoved: false, isKnown: false };
}

/** A column lies in its table. */
function pathFromUrn(urn: string): readonly string[] {
  const { type, key } = splitUrn(urn);
  return type === 'schemaField' ? key.slice(0, 1).filter(isUrn) : [];
}

function kindFromUrn(urn: string): string {
  return isSystem(urn) ? 'The catalog itself' : typeInWords(splitUrn(urn).type);
}

/** The value of an aspect. */
export function aspect({ aspects }: Pick<Entity, 'aspects'>, name: string): JsonObject | undefined {
  return aspects[name]?.value;
}

export function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The urns in one member of each record of a list. */
export function members(value: JsonValue | undefined, name: string): readonly string[] {
  return list(value).flatMap((each) => (isObject(each) && isUrn(each[name]) ? [each[name]] : []));
}

/** Values of the describing aspects: what people edited, then what connectors wrote, then the key. */
export function describingValues(entity: Entity): readonly JsonObject[] {
  return describingAspects(entity).map(({ value }) => value);
}

/** The describing aspects in the same order, with their authors. */
function describingAspects({ aspects }: Entity): readonly WrittenAspect[] {
  const rank = ({ name }: WrittenAspect): number => (isEditable(name) ? 0 : name.endsWith('Key') ? 2 : 1);
  return Object.values(aspects)
    .filter(({ name }) => isDescribing(name))
    .sort((one, other) => rank(one) - rank(other));
}

/** True for aspects that people write and connectors leave alone. */
export function isEditable(name: string): boolean {
  return /editable/i.test(name);
}

/** The aspect that the description of a card comes from. */
export function describedBy(entity: Entity, description: string | undefined): WrittenAspect | undefined {
  if (description === undefined) return undefined;
  return describingAspects(entity).find(({ value }) =>
    TEXT_FIELDS.some((name) => value[name] === description),
  );
}

function firstText(values: readonly JsonObject[], names: readonly string[]): string | undefined {
  for (const value of values) {
    for (const name of names) {
      const text = value[name];
      if (typeof text === 'string' && text.trim() !== '') return text;
    }
  }
  return undefined;
}

import { createHash } from 'node:crypto';
import { stringifyJson, type JsonObject } from '@stratalog/json';
import type { AspectType, EntityRegistry, EntityType } from './entity-registry';
import type { FieldSchema, NamedSchema } from '../schema/schema';
import { sortedJson } from '../schema/sorted-json';
import { typeText } from '../schema/type-text';

/** Prefix of nearly every name, which the lines omit. */
const COMMON_PREFIX = 'com.linkedin.';
/** Long enough that two annotations of one place never look equal by chance, short enough to skip while reading. */
const DIGEST_LENGTH = 8;

/**
 * Formats the whole model as text: one line for each entity, aspect and named type, sorted. Two models with equal
 * lines accept the same values and project the same documents and edges; docs and the order of files do not show.
 *
 * **Shape**: `record chart.ChartInfo #1f0c… customProperties:map[string, string]={}#9ab0… title:string#…
 * access?:common.AccessLevel#…`. `?` marks optional fields, `=` a default, `#` a digest of the annotations; included
 * fields come at the position of their include.
 */
export function formatModelLines(registry: EntityRegistry): readonly string[] {
  return [
    ...registry.entityTypes.map(entityLine).sort(),
    ...registry.aspects.map(aspectLine).sort(),
    ...registry.types.map(typeLine).sort(),
  ];
}

function entityLine({
  name,
  category = '-',
  searchGroup,
  isViewUnrestricted,
  keyAspect,
  aspects,
}: EntityType): string {
  const others = [...aspects.keys()].filter((aspect) => aspect !== keyAspect.name).sort();
  const traits = [category, searchGroup, ...(isViewUnrestricted ? ['unrestricted'] : [])].join(',');
  return ['entity', name, traits, keyAspect.name, ...others].join(' ');
}

function aspectLine({ name, kind, recordName }: AspectType): string {
  return ['aspect', name, kind, shortenName(recordName)].join(' ');
}

function typeLine(type: NamedSchema): string {
  return [type.kind, `${formatName(type)}${digest(type.annotations)}`, ...splitParts(type)].join(' ');
}

function splitParts(type: NamedSchema): readonly string[] {
  switch (type.kind) {
    case 'record':
      return type.fields.map(fieldText);
    case 'enum':
      return type.symbols.map(({ name, annotations }) => `${name}${digest(annotations)}`);
    case 'typeref':
      return [typeText(type.ref, formatName)];
    case 'fixed':
      return [String(type.size)];
  }
}

function fieldText({ name, type, optional, default: fallback, annotations }: FieldSchema): string {
  const defaultText = fallback === undefined ? '' : `=${stringifyJson(fallback)}`;
  return `${name}${optional ? '?' : ''}:${typeText(type, formatName)}${defaultText}${digest(annotations)}`;
}

function formatName({ name }: NamedSchema): string {
  return shortenName(name);
}

function shortenName(name: string): string {
  return name.startsWith(COMMON_PREFIX) ? name.slice(COMMON_PREFIX.length) : name;
}

function digest(annotations: JsonObject): string {
  if (Object.keys(annotations).length === 0) return '';
  const hash = createHash('sha256')
    .update(stringifyJson(sortedJson(annotations)))
    .digest('hex');
  return `#${hash.slice(0, DIGEST_LENGTH)}`;
}

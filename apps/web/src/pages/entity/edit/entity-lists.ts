import { aspect, isObject, list, type Entity } from '../../../data/entity-card';
import type { JsonValue } from '@stratalog/json';

/** A list of entities of one type in an aspect. */
export interface EntityList {
  readonly aspectName: string;
  /** The steps to the list. */
  readonly path: readonly string[];
  /** The member of an element that names the entity; absent: the elements are urns. */
  readonly member?: string;
  readonly type: string;
  /** What one of them is called: "term". */
  readonly one: string;
  readonly label: string;
  /** The list has one element at most. */
  readonly isSingle?: boolean;
}

export const TAGS: EntityList = {
  aspectName: 'globalTags',
  path: ['tags'],
  member: 'tag',
  type: 'tag',
  one: 'tag',
  label: 'Edit the tags',
};
export const TERMS: EntityList = {
  aspectName: 'glossaryTerms',
  path: ['terms'],
  member: 'urn',
  type: 'glossaryTerm',
  one: 'term',
  label: 'Edit the terms',
};
export const DOMAIN: EntityList = {
  aspectName: 'domains',
  path: ['domains'],
  type: 'domain',
  one: 'domain',
  label: 'Edit the domain',
  isSingle: true,
};

/** Where people write about columns. */
export const OF_COLUMNS = { aspectName: 'editableSchemaMetadata', field: 'editableSchemaFieldInfo' } as const;

/** The same list of one column: its record holds the aspects of an entity. */
export function ofColumn(of: EntityList, column: string): EntityList {
  const { aspectName, field } = OF_COLUMNS;
  return { ...of, aspectName, path: [field, column, of.aspectName, ...of.path] };
}

/** The entity that an element of a list names; empty: none. */
export function urnOf({ member }: Pick<EntityList, 'member'>, element: JsonValue): string {
  const urn = member !== undefined && isObject(element) ? element[member] : element;
  return typeof urn === 'string' ? urn : '';
}

/** The elements of a list; a step into a list of columns is the path of one. */
export function elementsOf(
  entity: Entity,
  { aspectName, path }: Pick<EntityList, 'aspectName' | 'path'>,
): readonly JsonValue[] {
  const value = path.reduce<JsonValue | undefined>(
    (inner, step) => {
      if (isObject(inner)) return inner[step];
      return list(inner).find((each) => isObject(each) && each.fieldPath === step);
    },
    aspect(entity, aspectName),
  );
  return list(value);
}

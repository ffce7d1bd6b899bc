import { stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import type { ActionElement } from './action';
import { add, isAddedBy, listElements, remove, toAttribution } from './element-values';

/** A list whose elements have a urn and an attribution, whose source is a part of the key. */
export interface AttributedList {
  readonly list: string;
  /** Member with the urn. */
  readonly key: string;
}

export const TAGS: AttributedList = { list: 'tags', key: 'tag' };
export const TERMS: AttributedList = { list: 'terms', key: 'urn' };
export const PROPERTIES: AttributedList = { list: 'properties', key: 'propertyUrn' };

/**
 * Adds an element unless the entity has one with this urn, added by any actor. Its key has the urn of the test, so an element
 * that another actor adds later is kept with it, and stays when it is taken back.
 */
export function addElement(
  { list, key }: AttributedList,
  urn: string,
  members: JsonObject = {},
): ActionElement {
  const added = { [key]: urn, ...members };
  return {
    target: [urn],
    added: stringifyJson(added),
    write: (state, author) =>
      listElements(state, list).some((element) => element[key] === urn)
        ? []
        : [add([list, urn, author.test], { ...added, attribution: toAttribution(author) })],
    takeBack: (state, author) =>
      listElements(state, list).some((element) => isAddedBy(element, author) && hasMembers(element, added))
        ? [remove([list, urn, author.test])]
        : [],
  };
}

/** Removes every element with this urn. */
export function removeElement({ list, key }: AttributedList, urn: string): ActionElement {
  return {
    target: [urn],
    added: undefined,
    write: (state) =>
      listElements(state, list).some((element) => element[key] === urn) ? [remove([list, urn])] : [],
    takeBack: () => [],
  };
}

/** Gives the entity the values of a structured property unless it has some. */
export function addProperty(urn: string, values: JsonValue[]): ActionElement {
  return addElement(PROPERTIES, urn, { values });
}

/** Replaces the values of a structured property. */
export function setProperty(urn: string, values: JsonValue[]): ActionElement {
  const { list, key } = PROPERTIES;
  const added = { [key]: urn, values };
  return {
    target: [urn],
    added: stringifyJson(added),
    write: (state, author) => {
      const stored = listElements(state, list).filter((element) => element[key] === urn);
      return stored.length === 1 && stored.every((element) => hasMembers(element, added))
        ? []
        : [add([list, urn], { ...added, attribution: toAttribution(author) })];
    },
    takeBack: () => [],
  };
}

export function removeProperty(urn: string): ActionElement {
  return removeElement(PROPERTIES, urn);
}

function hasMembers(element: JsonObject, members: JsonObject): boolean {
  return Object.entries(members).every(
    ([name, value]) => stringifyJson(element[name] ?? null) === stringifyJson(value),
  );
}

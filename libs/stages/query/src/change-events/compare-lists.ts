import { isDeepStrictEqual } from 'node:util';
import { valueAt, type JsonValue, type JsonOutputObject } from '@stratalog/json';
import type { ChangeEvent } from './change-event';

/** A list of an aspect whose elements come and go. */
interface ListedThings {
  readonly category: ChangeEvent['category'];
  /** Member with the list. */
  readonly list: string;
  /** Member of an element that names it; absent where the elements are names themselves. */
  readonly id?: string;
  /** Another member without which the name is not unique. */
  readonly alsoBy?: string;
  /** The parameter of an event that has the name. */
  readonly parameter: string;
  readonly noun: string;
  /** The member whose change is an event, and the parameter that has it. */
  readonly content?: { readonly member: string; readonly parameter: string };
}

const TAGS: ListedThings = {
  category: 'TAG',
  list: 'tags',
  id: 'tag',
  parameter: 'tagUrn',
  noun: 'Tag',
};
const TERMS: ListedThings = {
  category: 'GLOSSARY_TERM',
  list: 'terms',
  id: 'urn',
  parameter: 'termUrn',
  noun: 'Term',
};

/** The aspects that have such a list, by their names. */
export const LISTS: ReadonlyMap<string, ListedThings> = new Map([
  ['globalTags', TAGS],
  ['glossaryTerms', TERMS],
  [
    'ownership',
    {
      category: 'OWNERSHIP',
      list: 'owners',
      id: 'owner',
      alsoBy: 'type',
      parameter: 'ownerUrn',
      noun: 'Owner',
    },
  ],
  ['domains', { category: 'DOMAIN', list: 'domains', parameter: 'domainUrn', noun: 'Domain' }],
  [
    'applications',
    { category: 'APPLICATION', list: 'applications', parameter: 'applicationUrn', noun: 'Application' },
  ],
  [
    'dataProductProperties',
    {
      category: 'ASSET_MEMBERSHIP',
      list: 'assets',
      id: 'destinationUrn',
      parameter: 'assetUrn',
      noun: 'Asset',
    },
  ],
  [
    'structuredProperties',
    {
      category: 'STRUCTURED_PROPERTY',
      list: 'properties',
      id: 'propertyUrn',
      parameter: 'propertyUrn',
      noun: 'Structured property',
      content: { member: 'values', parameter: 'propertyValues' },
    },
  ],
  [
    'institutionalMemory',
    {
      category: 'DOCUMENTATION',
      list: 'elements',
      id: 'url',
      parameter: 'url',
      noun: 'Link',
      content: { member: 'description', parameter: 'description' },
    },
  ],
]);

/** What the columns of a schema have, by the members that hold it. */
export const LISTS_OF_COLUMNS: ReadonlyMap<string, ListedThings> = new Map([
  ['globalTags', TAGS],
  ['glossaryTerms', TERMS],
]);

interface Place {
  readonly urn: string;
  /** Further parameters of each event. */
  readonly parameters?: JsonOutputObject;
}

/** Compares the lists of two values; the removed elements come first. An element that is there twice counts once. */
export function* compareLists(
  things: ListedThings,
  { urn, parameters = {} }: Place,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Generator<ChangeEvent> {
  const [old, now] = [readElements(things, before), readElements(things, after)];
  const { category, noun, content } = things;
  const toEvent = (
    operation: 'ADD' | 'REMOVE' | 'MODIFY',
    { name, element }: NamedElement,
    sentence: string,
  ): ChangeEvent => ({
    category,
    operation,
    entityUrn: urn,
    modifier: name,
    grade: category === 'DOCUMENTATION' ? 'PATCH' : 'MINOR',
    description: sentence,
    parameters: { ...parameters, ...toParameters(things, name, element) },
  });
  for (const [key, each] of old)
    if (!now.has(key)) yield toEvent('REMOVE', each, `${noun} '${each.name}' removed from entity '${urn}'.`);
  for (const [key, each] of now) {
    const former = old.get(key);
    if (former === undefined) yield toEvent('ADD', each, `${noun} '${each.name}' added to entity '${urn}'.`);
    else if (
      content !== undefined &&
      !isDeepStrictEqual(valueAt(former.element, [content.member]), valueAt(each.element, [content.member]))
    )
      yield toEvent('MODIFY', each, `${noun} '${each.name}' of entity '${urn}' changed.`);
  }
}

interface NamedElement {
  readonly name: string;
  readonly element: JsonValue;
}

function readElements(
  { list, id, alsoBy }: ListedThings,
  value: JsonValue | undefined,
): ReadonlyMap<string, NamedElement> {
  const elements = valueAt(value, [list]);
  const named = new Map<string, NamedElement>();
  if (!Array.isArray(elements)) return named;
  for (const element of elements) {
    const name = id === undefined ? element : valueAt(element, [id]);
    if (typeof name !== 'string') continue;
    const more = alsoBy === undefined ? undefined : valueAt(element, [alsoBy]);
    named.set(`${name}\n${typeof more === 'string' ? more : ''}`, { name, element });
  }
  return named;
}

function toParameters(
  { parameter, alsoBy, content }: ListedThings,
  name: string,
  element: JsonValue,
): JsonOutputObject {
  return {
    [parameter]: name,
    ...(alsoBy === undefined ? {} : { ownerType: valueAt(element, [alsoBy]) }),
    ...(content === undefined ? {} : { [content.parameter]: valueAt(element, [content.member]) }),
  };
}

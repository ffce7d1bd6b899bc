import type { JsonOutput } from '@stratalog/json';
import type { Found, Place } from './tool';

type List = NonNullable<Found['list']>;

/** A list of which the call behind the tool has answered everything. */
export function wholeList(name: string, all: readonly JsonOutput[], { skip }: Place): List {
  return {
    name,
    elements: all.slice(skip),
    placeOf: (at) => (skip + at < all.length ? { skip: skip + at } : undefined),
  };
}

/** A part of a list that the call behind the tool reads by number; it begins at the place of the call. */
export function partOfList(
  name: string,
  elements: readonly JsonOutput[],
  { skip }: Place,
  end: number,
): List {
  return { name, elements, placeOf: (at) => (skip + at < end ? { skip: skip + at } : undefined) };
}

/** A page of a list that the call behind the tool reads page by page; `next` is the name of the page after it. */
export function pageOfList(
  name: string,
  page: readonly JsonOutput[],
  from: Place,
  next: string | undefined,
): List {
  const { skip } = from;
  return {
    name,
    elements: page.slice(skip),
    placeOf: (at) => {
      if (skip + at < page.length) return { ...from, skip: skip + at };
      return next === undefined ? undefined : { page: next, skip: 0 };
    },
  };
}

import type { AspectType } from '@stratalog/registry';

/** One step within the value of an aspect. Lists are always followed into their elements. */
export type ValueStep =
  | { readonly kind: 'member'; readonly name: string }
  /** Each value of a map. */
  | { readonly kind: 'values' }
  /** Each element of a list, or each value of a map: a step of a relationship, which names lists too. */
  | { readonly kind: 'each' }
  /** Each key of a map. */
  | { readonly kind: 'keys' };

/** A place in an aspect of an entity. */
export interface AspectPlace {
  readonly aspectName: string;
  readonly aspectKind: AspectType['kind'];
  readonly steps: readonly ValueStep[];
}

/** A part of a path: from the values before it, urns or parts of aspects, to the values after it. */
export type PathSegment =
  /** From entities to values of their aspects. */
  | { readonly kind: 'read'; readonly places: readonly AspectPlace[] }
  /** From entities to the urns at the other ends of a relationship, each once. Every annotation with its name is a place. */
  | { readonly kind: 'relationship'; readonly places: readonly AspectPlace[] }
  /** From parts of an aspect to their parts. */
  | { readonly kind: 'steps'; readonly steps: readonly ValueStep[] }
  /** From entities to the names of their types. */
  | { readonly kind: 'entity-type' };

/** A path that the model knows, from an entity or from the element of a list. */
export interface PropertyPath {
  readonly text: string;
  readonly segments: readonly PathSegment[];
  /** True when the first aspect is a timeseries aspect. */
  readonly isTimeseries: boolean;
}

import type { JsonObject } from '@stratalog/json';

/** The aspects that actions write. */
export const ACTION_ASPECTS = [
  'globalTags',
  'glossaryTerms',
  'ownership',
  'domains',
  'deprecation',
  'structuredProperties',
] as const;
export type ActionAspect = (typeof ACTION_ASPECTS)[number];

/** The outcomes that have actions. */
export const ACTION_OUTCOMES = ['passing', 'failing'] as const;
export type ActionOutcome = (typeof ACTION_OUTCOMES)[number];

/** The actions of a test on an entity whose outcome changes. */
export type TestActions = Readonly<Record<ActionOutcome, readonly Action[]>>;

export interface Action {
  /** Place in the definition: `/actions/failing/0`. */
  readonly place: string;
  readonly aspectName: ActionAspect;
  /** True: what it added is removed as soon as the test has another outcome. */
  readonly isTakenBack: boolean;
  readonly elements: readonly ActionElement[];
}

/** Actor and time of a write. Elements that an action adds carry them as their attribution. */
export interface ActionAuthor {
  /** Urn of the test. */
  readonly test: string;
  /** Urn of the user as which the catalog writes. */
  readonly actor: string;
  readonly nowMs: number;
  /** True: the action takes back what it adds. */
  readonly isTakenBack: boolean;
}

/** The value of an aspect that actions write. */
export interface AspectState {
  /** `undefined`: there is no value. */
  readonly value: JsonObject | undefined;
  /** The run that wrote the value. */
  readonly runId: string | undefined;
  /** True: an action that takes back wrote the value last. For aspects whose elements do not say it. */
  readonly isTakenBack?: boolean;
}

/** An operation of RFC 6902. */
export interface ActionOperation extends JsonObject {
  op: 'add' | 'remove';
  path: string;
}

/** One tag, term, owner, domain, property or deprecation that an action adds or removes. */
export interface ActionElement {
  /** The key of the element in the aspect. Fewer parts stand for every element whose key begins with them. */
  readonly target: readonly string[];
  /** The element with the value that is added; `undefined`: it is removed. */
  readonly added: string | undefined;
  /** Returns the operations that add or remove it; none when that is done already. */
  write(state: AspectState, author: ActionAuthor): readonly ActionOperation[];
  /** Returns the operations that remove it when this very test added it; none when another one did. */
  takeBack(state: AspectState, author: ActionAuthor): readonly ActionOperation[];
}

/** Returns the run id of everything that a test writes, so that one rollback takes it back. */
export function runIdOfTest({ test }: Pick<ActionAuthor, 'test'>): string {
  return test;
}

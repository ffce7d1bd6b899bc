import type { JsonObject, SearchField } from '@stratalog/model';
import type { Step } from './place';
import type { Schema } from '../schema/schema';

/** A searchable place inside an aspect. */
export interface SearchPath {
  /** Field names from the aspect down; `*` is each element of an array, a full name or primitive the member of a union. */
  readonly path: string;
  /** The path taken apart. */
  readonly steps: readonly Step[];
  readonly field: SearchField;
  /** What lies at the place, behind typerefs. */
  readonly type: Schema;
  /** BOOLEAN: whether the place holds anything. */
  readonly hasValues?: SearchField;
  /** COUNT: how much it holds. */
  readonly numValues?: SearchField;
  /** DATETIME: when the aspect that gives the place a value was written. */
  readonly modifiedAt?: SearchField;
  /** What a value does to the rank of the whole entity: a factor by the value's text. */
  readonly weights: ReadonlyMap<string, number>;
  /** The text holds markup, which is no part of its words. */
  readonly isRichText: boolean;
  /** The annotation as written, with the options that nothing here understands. */
  readonly options: JsonObject;
}

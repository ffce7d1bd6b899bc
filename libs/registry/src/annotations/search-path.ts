import type { SearchField } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import type { Step } from './place';
import type { Schema } from '../schema/schema';

/** A searchable place inside an aspect. */
export interface SearchPath {
  /**
   * Field names from the aspect down. `*` is each element of an array; a full name or primitive is the member of a
   * union.
   */
  readonly path: string;
  /** The path as steps. */
  readonly steps: readonly Step[];
  readonly field: SearchField;
  /** Type of the value at the place, behind typerefs. */
  readonly type: Schema;
  /** BOOLEAN field: whether the place has a value. */
  readonly hasValues?: SearchField;
  /** COUNT field: number of values at the place. */
  readonly numValues?: SearchField;
  /** DATETIME field: time of the last write of the aspect, if the place has a value. */
  readonly modifiedAt?: SearchField;
  /** Factors of the entity's rank, by the text of a value. */
  readonly weights: ReadonlyMap<string, number>;
  /** True when the text contains markup, which is not searched. */
  readonly isRichText: boolean;
  /** Entity type of the entity that a urn at the place names; fields of that entity are searched too. */
  readonly refType?: string;
  /** The annotation as written, including unknown options. */
  readonly options: JsonObject;
}

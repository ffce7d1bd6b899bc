/** A part of a timeseries value, or of what is stored with it. */
export interface TimeseriesField {
  /** `element`: a member of each element of a list. Only statistics read it. */
  readonly source: 'value' | 'element' | 'urn' | 'timestamp' | 'system-metadata';
  /** Names from the source down. Of an element, the first is the list; an element without a second is the field itself. */
  readonly path: readonly string[];
  /** How its values compare. `json`: lists and objects, as JSON text. */
  readonly kind: 'text' | 'number' | 'boolean' | 'json';
  /** True for a list whose elements a criterion tests one by one. */
  readonly isList?: boolean;
  /** Text of the default of an absent field. */
  readonly fallback?: string;
}

/** Names a field of values or elements in an index: two fields that read one value differently have different keys. */
export function timeseriesFieldKey({ path, kind, fallback }: TimeseriesField): string {
  return `${kind}:${path.join('/')}${fallback === undefined ? '' : '='}`;
}

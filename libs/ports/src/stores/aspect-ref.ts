/** Names an aspect of an entity, whether or not it exists. */
export interface AspectRef {
  readonly urn: string;
  readonly aspectName: string;
}

/** An aspect of an entity, whether it is there or not. */
export interface AspectRef {
  readonly urn: string;
  readonly aspectName: string;
}

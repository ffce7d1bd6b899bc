import type { JsonObject } from '@stratalog/json';

/** An entity in an answer, whether it exists or not; its fields read its aspects. */
export class EntityRef {
  constructor(readonly urn: string) {}
}

/** An object of an answer that comes from an aspect of an entity. */
export class AspectPart {
  constructor(
    readonly owner: EntityRef,
    readonly value: JsonObject,
  ) {}
}

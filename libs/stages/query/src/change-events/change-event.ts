import type { JsonObject, JsonOutputObject } from '@stratalog/json';

/** The categories of a timeline; the stream of events has the last two also. */
export const TIMELINE_CATEGORIES = [
  'TAG',
  'OWNERSHIP',
  'GLOSSARY_TERM',
  'TECHNICAL_SCHEMA',
  'DOCUMENTATION',
  'DOMAIN',
  'STRUCTURED_PROPERTY',
  'APPLICATION',
  'ASSET_MEMBERSHIP',
  'VERSIONING',
] as const;
type ChangeCategory = (typeof TIMELINE_CATEGORIES)[number] | 'DEPRECATION' | 'LIFECYCLE';

/** How much readers of an entity must care, as in semantic versions. */
export type ChangeGrade = 'MAJOR' | 'MINOR' | 'PATCH';

/** One thing that a new version of an aspect says, in words of people who use the entity. */
export interface ChangeEvent {
  readonly category: ChangeCategory;
  readonly operation: 'ADD' | 'REMOVE' | 'MODIFY' | 'CREATE' | 'HARD_DELETE' | 'SOFT_DELETE' | 'REINSTATE';
  /** The entity, or one of its columns. */
  readonly entityUrn: string;
  /** What was added, removed or changed, mostly a urn. */
  readonly modifier?: string;
  readonly grade: ChangeGrade;
  readonly description: string;
  readonly parameters?: JsonOutputObject;
}

/** Two consecutive values of an aspect; one is absent where the aspect was created or deleted. */
export interface ComparedAspect {
  readonly urn: string;
  readonly aspectName: string;
  /** True for the key aspect, whose first value creates the entity and whose deletion deletes it. */
  readonly isKey: boolean;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

import type { JsonOutputObject } from '@stratalog/json';

/**
 * How an entity relates to its subject.
 *
 * - `original`: the thing itself, such as `fct_customer_orders`.
 * - `report`: a dashboard, chart or job about it.
 * - `part`: one region, period or channel of it, such as `customer_orders_emea_weekly`.
 * - `environment`: the same name in another environment.
 * - `copy`: a backup, a dated, temporary or staging copy.
 * - `deprecated`: its replaced predecessor.
 */
export type Standing = 'original' | 'report' | 'part' | 'environment' | 'copy' | 'deprecated';

/** An entity as the generator knows it. Judgements follow from it, never from a search. */
export interface Traits {
  /** Display name. */
  readonly name: string;
  /** Full name on the platform, of datasets. */
  readonly path?: string;
  /** The subject of the entity, as words in singular without abbreviations. */
  readonly words: readonly string[];
  readonly standing: Standing;
  readonly columns: readonly string[];
  readonly tags: readonly string[];
  readonly terms: readonly string[];
  readonly owner?: string;
}

/** A generated entity: its aspects by name, and its traits. */
export interface CatalogEntity {
  readonly urn: string;
  readonly entityType: string;
  readonly aspects: Readonly<Record<string, JsonOutputObject>>;
  readonly traits: Traits;
}

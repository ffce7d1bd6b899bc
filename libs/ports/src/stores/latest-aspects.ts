import type { AspectRef } from './aspect-ref';

/** Selects latest values of aspects, by urn and aspect name. All conditions must hold. */
export interface LatestAspectsQuery {
  readonly urn?: string | undefined;
  readonly aspectName?: string | undefined;
  /** A pattern: `%` matches any text, `_` one character, and a backslash escapes the character after it. */
  readonly urnLike?: string | undefined;
  /** Bounds of the time at which the latest value was written, both included. Epoch ms. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The page starts after this aspect. */
  readonly after?: AspectRef | undefined;
  /** Number of aspects to skip first. */
  readonly start: number;
  readonly limit: number;
}

/** Lists the aspects that exist now, over all entities. */
export interface LatestAspects {
  /** Lists a page in byte order of urn and aspect name. */
  listAspects(query: LatestAspectsQuery): Promise<readonly AspectRef[]>;
}

import type { FieldOrder, PlaceInOrder, SearchRequest } from '@stratalog/domain';
import type { PoolClient, QueryResultRow } from 'pg';
import { pipelined } from '../../database/pipelined';
import { isWholeKey, rangeOf } from '../key-entries';
import type { PlannedSearch } from './matching';
import { runPlanned } from './run-planned';
import type { CountRow, HitRow, SearchStatement } from './search-rows';
import {
  pageByFields,
  pageByUrn,
  pageByWeight,
  pageEndStatement,
  tiesStatement,
  walkTies,
  type AllMatches,
  type PageEnd,
  type PageSource,
  type Ties,
} from './unranked-statements';

/** Decides which pages are looked for by a walk through documents or keys in the order of the hits. */
export interface WalkLimits {
  /** Up to this number of matches, all of them are ordered. */
  readonly fewMatches: number;
  /** The same for matches that cost much to find, and whose ids the count returns. */
  readonly fewByKeys: number;
  /** Last place of a page that a walk looks for. */
  readonly maxPlace: number;
  /** Number of documents or keys that a walk tests. It bounds the time of a walk that meets no match. */
  readonly walked: number;
}

export const WALK_LIMITS: WalkLimits = { fewMatches: 1_000, fewByKeys: 10_000, maxPlace: 200, walked: 1_000 };

/** Reads the page of a search in a fixed order, in the transaction that counted its matches. */
export class PageReader {
  constructor(
    private readonly client: PoolClient,
    private readonly search: PlannedSearch,
    private readonly limits: WalkLimits,
  ) {}

  async read({ total, few }: CountRow): Promise<readonly HitRow[]> {
    const { order, start, count, includesSoftDeleted } = this.search.request;
    const { fewMatches, maxPlace } = this.limits;
    if (count === 0 || start >= total) return [];
    const isFew = few !== undefined && few !== null;
    const canWalk = !isFew && total > fewMatches && start + count <= maxPlace;
    const from: AllMatches = isFew ? { kind: 'few', ids: few } : { kind: 'matches' };
    const expected = Math.min(count, total - start);
    // The index by weight leaves soft-deleted documents out.
    if (order === undefined)
      return this.walkFirst(pageByWeight, from, canWalk && includesSoftDeleted !== true ? expected : 0);
    if (!isByFields(order)) return this.walkFirst(pageByUrn, from, canWalk ? expected : 0);
    return (
      (canWalk ? await this.readUntilEnd(order) : undefined) ??
      this.rows(pageByFields(this.search, order, { from }))
    );
  }

  /** Reads a page of `expected` hits by a walk, and among all matches if the walk finds fewer. */
  private async walkFirst(
    page: (search: PlannedSearch, from: PageSource) => SearchStatement,
    from: AllMatches,
    expected: number,
  ): Promise<readonly HitRow[]> {
    if (expected > 0) {
      const found = await this.rows<HitRow>(page(this.search, { kind: 'walk', walked: this.limits.walked }));
      if (found.length === expected) return found;
    }
    return this.rows(page(this.search, from));
  }

  /** Reads a page in an order by fields without the matches behind its end; returns `undefined` if its end is not found. */
  private async readUntilEnd(order: FieldsOfOrder): Promise<readonly HitRow[] | undefined> {
    const { after } = this.search.request;
    if (after?.keys[0] === null) return undefined;
    const tied = after === undefined ? undefined : await this.readHitsTiedWithCursor(order, after);
    if (tied !== undefined) return tied;
    const [end] = await this.rows<PageEnd>(pageEndStatement(this.search, order[0], this.limits.walked));
    if (end === undefined) return undefined;
    const ended = after === undefined ? await this.readHitsTiedAtEnd(order, end) : undefined;
    if (ended !== undefined) return ended;
    const until = { entry: end.entry, isIncluded: true };
    return this.rows(pageByFields(this.search, order, { from: { kind: 'matches' }, until }));
  }

  /** Reads a page that lies within the ties of its cursor. */
  private async readHitsTiedWithCursor(
    order: FieldsOfOrder,
    { keys: [key], urn }: PlaceInOrder,
  ): Promise<readonly HitRow[] | undefined> {
    const { start, count } = this.search.request;
    if (typeof key !== 'string') return undefined;
    return this.readTiedHits(order, { entry: rangeOf(order[0].field).start + key, after: urn, start, count });
  }

  /** Reads a page whose last hits are the first ones of the ties at its end. */
  private async readHitsTiedAtEnd(
    order: FieldsOfOrder,
    { entry, before }: PageEnd,
  ): Promise<readonly HitRow[] | undefined> {
    const { start, count } = this.search.request;
    const own = Math.max(0, before - start);
    const tied = await this.readTiedHits(order, {
      entry,
      start: Math.max(0, start - before),
      count: count - own,
    });
    if (tied === undefined || own === 0) return tied;
    const until = { entry, isIncluded: false };
    return [
      ...(await this.rows<HitRow>(pageByFields(this.search, order, { from: { kind: 'matches' }, until }))),
      ...tied,
    ];
  }

  /** Reads tied hits; returns `undefined` where others than the urn decide their order, there are fewer than `count`, or it would cost much. */
  private async readTiedHits(
    [order, ...others]: FieldsOfOrder,
    ties: Omit<Ties, 'order'>,
  ): Promise<readonly HitRow[] | undefined> {
    if (others.length > 0 || !isWholeKey(ties.entry)) return undefined;
    const asked = { ...ties, order };
    const met = await this.rows<HitRow>(walkTies(this.search, asked, this.limits.walked));
    if (met.length === ties.count) return met;
    // The test of a document by words or keys costs more than its order.
    if (!testsTypeAlone(this.search.request)) return undefined;
    const all = await this.rows<HitRow>(tiesStatement(this.search, asked));
    return all.length === ties.count ? all : undefined;
  }

  private async rows<Row extends QueryResultRow>(statement: SearchStatement): Promise<readonly Row[]> {
    const [, result] = await pipelined(runPlanned<Row>(this.client, statement));
    return result.rows;
  }
}

type FieldsOfOrder = readonly [FieldOrder, ...FieldOrder[]];

function isByFields(order: readonly FieldOrder[]): order is FieldsOfOrder {
  return order.length > 0;
}

function testsTypeAlone({ query, filter, urns }: SearchRequest): boolean {
  return query.kind === 'all' && filter === undefined && urns === undefined;
}

import type { LineageScope } from '@stratalog/domain';

import { lineageCondition } from './graph-tables';

/** Bounds of the time filter when the request leaves one open. */
const EVER_MS = Number.MAX_SAFE_INTEGER;

/** Columns with the owner of an edge; the owner is absent where it is the source. */
export const OWNER = 'coalesce(owner, source) as owner, aspect';

export interface NeighboursRead {
  /** Expression for the key of the near end; with `any(…)`, for several. */
  readonly key: string;
  /** Columns in addition to `far`. */
  readonly columns: string;
  /** True: the key of the near end is a column too, `near_key`. */
  readonly withKey?: boolean;
  /** Parameters for the start and the end of the time range. */
  readonly times: readonly [string, string];
  /** Expressions for the first and the last far end, both included; absent: any. */
  readonly farRange?: readonly [first: string, last: string];
  /** End of the query of each index. */
  readonly perIndex?: string;
}

/** A scope without `level` follows edges to any end. */
export type EdgeScope = Omit<LineageScope, 'level'> & Partial<Pick<LineageScope, 'level'>>;

/**
 * The end of the query of each index that keeps the server on the index in the order of far ends.
 *
 * Until a table is analyzed, the server expects one edge at each end. All indices of an end then cost the same, and one without the far
 * end reads all neighbours of a hub for each that is looked up. Only the right one spares a sort.
 */
export const BY_FAR = 'order by far';

/** Builds the query for the edges at one end: those that it declares, and those that the other end declares. */
export function neighboursText(
  edges: string,
  scope: EdgeScope,
  { key, columns, withKey = false, times: [from, to], farRange, perIndex = '' }: NeighboursRead,
): string {
  const isUp = scope.direction === 'UPSTREAM';
  const side = (near: 'source' | 'destination', other: string, isUpstream: boolean): string =>
    [
      `(select ${withKey ? `${near}_key as near_key, ` : ''}${other} as far${columns === '' ? '' : `, ${columns}`} from ${edges}`,
      `where ${near}_key = ${key} and ${lineageCondition(near, isUpstream)}`,
      ...(farRange === undefined ? [] : [`and ${other} between ${farRange[0]} and ${farRange[1]}`]),
      ...(scope.level === 'ENTITY' ? [`and split_part(${other}, ':', 3) <> 'schemaField'`] : []),
      ...(isTimed(scope)
        ? [
            `and (updated_ms >= ${from}::bigint and created_ms <= ${to}::bigint or properties like '%"source":"UI"%')`,
          ]
        : []),
      `${perIndex})`,
    ].join(' ');
  return `${side('source', 'destination', isUp)} union all ${side('destination', 'source', !isUp)}`;
}

/** Values for the parameters of the time range; none when the scope has no bound. */
export function timeValues(scope: EdgeScope): readonly number[] {
  return isTimed(scope) ? [scope.fromMs ?? 0, scope.toMs ?? EVER_MS] : [];
}

/** Names the text of a statement: requests of one variant share its plan. */
export function nameVariant(scope: EdgeScope): string {
  return `${scope.direction}-${scope.level ?? 'ANY'}${isTimed(scope) ? '-timed' : ''}`;
}

function isTimed({ fromMs, toMs }: EdgeScope): boolean {
  return fromMs !== undefined || toMs !== undefined;
}

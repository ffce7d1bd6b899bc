import type { FieldOrder, PlaceInOrder } from '@stratalog/model';
import { rangeOf } from './key-entries';
import type { StatementParameters } from '../database/statement-parameters';

/** The SQL clauses of an order of hits by fields. */
export interface OrderClauses {
  /** True when the matches need the ids of their documents. */
  readonly readsIds: boolean;
  /** The matches with a column for each field. */
  readonly from: string;
  /** The expressions after `order by`. */
  readonly by: string;
  /** The condition that selects the hits after the previous page. */
  readonly after: string;
  /** The keys of a hit as one array of texts. */
  readonly keys: string;
}

/**
 * Builds the clauses of an order over matches `m` with the ids of their documents; ties are ordered by urn.
 *
 * The index on entries has the order of all keys but those of several windows, which their rows hold as a whole.
 */
export function buildOrderClauses(
  order: readonly FieldOrder[],
  after: PlaceInOrder | undefined,
  { keys, parameters }: { readonly keys: string; readonly parameters: StatementParameters },
): OrderClauses {
  const joins = order.map(({ field, isDescending }, at) => {
    const { start, end } = rangeOf(field);
    const k = `k${String(at)}`;
    return ` left join ${keys} ${k} on ${k}.document = m.id and ${k}.entry >= ${parameters.add(start)}::text and ${k}.entry < ${parameters.add(end)}::text
                 and ${k}.${isDescending ? 'is_highest' : 'is_lowest'}`;
  });
  const columns = order.map(({ isDescending }, at) => {
    const k = `k${String(at)}`;
    const end = isDescending ? 'is_highest' : 'is_lowest';
    return `, case when ${k}.is_last then ${k}.entry
                   else (select whole from ${keys} where document = ${k}.document and entry = ${k}.entry and is_first and ${end}) end as ${column(at)}`;
  });
  const by = order.map(({ isDescending }, at) => `${column(at)} ${isDescending ? 'desc' : 'asc'} nulls last`);
  const bare = order.map(
    ({ field }, at) => `substr(${column(at)}, length(${parameters.add(rangeOf(field).start)}::text) + 1)`,
  );
  return {
    readsIds: order.length > 0,
    from: `(select m.urn, m.score${columns.join('')} from matched m${joins.join('')}) o`,
    by: [...by, 'urn'].join(', '),
    after: after === undefined ? 'true' : behind(order, after, parameters),
    keys: `array[${bare.join(', ')}]::text[]`,
  };
}

function column(at: number): string {
  return `order_${String(at)}`;
}

/** Builds the condition "later in the first field, or equal there and later in the next", and so on. */
function behind(
  order: readonly FieldOrder[],
  { keys, urn }: PlaceInOrder,
  parameters: StatementParameters,
): string {
  const fromUrn = `urn > ${parameters.add(urn)}::text`;
  return order.reduceRight((rest, { field, isDescending }, at) => {
    const key = keys[at] ?? null;
    // Hits without a value come last, so only other such hits can follow.
    if (key === null) return `(${column(at)} is null and ${rest})`;
    const own = `${parameters.add(rangeOf(field).start + key)}::text`;
    const further = `${column(at)} ${isDescending ? '<' : '>'} ${own} or ${column(at)} is null`;
    return `(${further} or (${column(at)} = ${own} and ${rest}))`;
  }, fromUrn);
}

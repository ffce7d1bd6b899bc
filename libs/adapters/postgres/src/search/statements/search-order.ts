import type { FieldOrder, PlaceInOrder } from '@stratalog/domain';
import { firstWindow, rangeOf } from '../key-entries';
import type { StatementParameters } from '../../database/statement-parameters';

/** The SQL clauses of an order of hits by fields. */
export interface OrderClauses {
  /** The matches with a column for each field. */
  readonly from: string;
  /** The expressions after `order by`. */
  readonly by: string;
  /** The condition that selects the hits after the previous page. */
  readonly after: string;
  /** The keys of a hit as one array of texts. */
  readonly keys: string;
}

export interface OrderTarget {
  readonly keys: string;
  readonly parameters: StatementParameters;
  /** The bound of the first field's entries, behind which matches are left out. */
  readonly until?: OrderBound | undefined;
}

/** An entry of the first field of an order, up to which or before which a page has all its hits. */
export interface OrderBound {
  readonly entry: string;
  readonly isIncluded: boolean;
}

/** The column that marks the entry by which a field orders a document. */
export function orderMark({ isDescending }: FieldOrder): 'is_highest' | 'is_lowest' {
  return isDescending ? 'is_highest' : 'is_lowest';
}

/** A comparison of an entry with a text. */
type Bound = readonly ['>' | '>=' | '<' | '<=', string];

/** Lists the bounds of a field's entries, in the order of the hits from one entry until another. */
function listBounds(
  { field, isDescending }: FieldOrder,
  { from, until }: { readonly from?: OrderBound | undefined; readonly until?: OrderBound | undefined },
): readonly Bound[] {
  const { start, end } = rangeOf(field);
  const [later, earlier] = isDescending ? (['<', '>'] as const) : (['>', '<'] as const);
  const bounds: Bound[] = [
    ['>=', start],
    ['<', end],
  ];
  if (from !== undefined) bounds.push([from.isIncluded ? `${later}=` : later, from.entry]);
  if (until !== undefined) bounds.push([until.isIncluded ? `${earlier}=` : earlier, until.entry]);
  return bounds;
}

/** Returns the first entry of the cursor's key as a bound; `undefined` without a cursor, or for one whose hit has no key. */
function boundAtCursor(
  { field }: FieldOrder,
  after: PlaceInOrder | undefined,
  isIncluded: boolean,
): OrderBound | undefined {
  const key = after?.keys[0];
  return typeof key === 'string' ? { entry: rangeOf(field).start + firstWindow(key), isIncluded } : undefined;
}

/** Builds the test of entries that come later than the cursor, or of all entries of the field. */
export function testLater(
  order: FieldOrder,
  after: PlaceInOrder | undefined,
  parameters: StatementParameters,
): string {
  // An entry that equals the cursor's may belong to a hit before it.
  const from = boundAtCursor(order, after, false);
  return testBounds('entry', listBounds(order, { from }), parameters);
}

function testBounds(entry: string, bounds: readonly Bound[], parameters: StatementParameters): string {
  return bounds
    .map(([comparison, text]) => `${entry} ${comparison} ${parameters.add(text)}::text`)
    .join(' and ');
}

/**
 * Builds the clauses of an order over matches `m` with the ids of their documents; ties are ordered by urn.
 *
 * The index on entries has the order of all keys but those of several windows, which their rows hold as a whole.
 */
export function buildOrderClauses(
  order: readonly FieldOrder[],
  after: PlaceInOrder | undefined,
  { keys, parameters, until }: OrderTarget,
): OrderClauses {
  const joins = order.map((each, at) => {
    const k = `k${String(at)}`;
    const isBounded = at === 0 && until !== undefined;
    const bounds = listBounds(each, isBounded ? { from: boundAtCursor(each, after, true), until } : {});
    return ` ${isBounded ? '' : 'left '}join ${keys} ${k} on ${k}.document = m.id and ${testBounds(`${k}.entry`, bounds, parameters)}
                 and ${k}.${orderMark(each)}`;
  });
  const joined = order.map((_, at) => {
    const k = `k${String(at)}`;
    return `, ${k}.document as document_${String(at)}, ${k}.entry as entry_${String(at)}, ${k}.is_last as is_last_${String(at)}`;
  });
  const columns = order.map((each, at) => {
    const entry = `entry_${String(at)}`;
    const whole = `select whole from ${keys} where document = document_${String(at)} and entry = ${entry} and is_first and ${orderMark(each)}`;
    return `, case when is_last_${String(at)} then ${entry} else (${whole}) end as ${column(at)}`;
  });
  const by = order.map(({ isDescending }, at) => `${column(at)} ${isDescending ? 'desc' : 'asc'} nulls last`);
  const bare = order.map(
    ({ field }, at) => `substr(${column(at)}, length(${parameters.add(rangeOf(field).start)}::text) + 1)`,
  );
  return {
    // The fence keeps the cost of reading whole keys, which few rows do, from hiding that of the joins.
    from: `(select urn, score${columns.join('')} from (select m.urn, m.score${joined.join('')} from matched m${joins.join('')} offset 0) j) o`,
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

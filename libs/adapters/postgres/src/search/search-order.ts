import type { FieldOrder, PlaceInOrder } from '@stratalog/model';
import type { StatementParameters } from '../database/statement-parameters';

/** The SQL clauses of an order of hits by fields. */
export interface OrderClauses {
  /** Columns to select from the documents, each preceded by a comma. */
  readonly columns: string;
  /** The expressions after `order by`. */
  readonly by: string;
  /** The condition that selects the hits after the previous page. */
  readonly after: string;
  /** The columns as one array of texts. */
  readonly keys: string;
}

/** Builds the clauses of an order over `columns`; ties are ordered by urn. */
export function buildOrderClauses(
  order: readonly FieldOrder[],
  after: PlaceInOrder | undefined,
  parameters: StatementParameters,
): OrderClauses {
  const columns = order.map(({ field, isDescending }, at) => {
    const own = `jsonb_array_elements_text(keys -> ${parameters.add(field)}::text) k(key)`;
    return `, (select ${isDescending ? 'max' : 'min'}(k.key collate "C") from ${own}) as ${column(at)}`;
  });
  const by = order.map(({ isDescending }, at) => `${column(at)} ${isDescending ? 'desc' : 'asc'} nulls last`);
  return {
    columns: columns.join(''),
    by: [...by, 'urn'].join(', '),
    after: after === undefined ? 'true' : behind(order, after, parameters),
    keys: `array[${order.map((_, at) => column(at)).join(', ')}]::text[]`,
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
  return order.reduceRight((rest, { isDescending }, at) => {
    const key = keys[at] ?? null;
    // Hits without a value come last, so only other such hits can follow.
    if (key === null) return `(${column(at)} is null and ${rest})`;
    const own = `${parameters.add(key)}::text`;
    const further = `${column(at)} ${isDescending ? '<' : '>'} ${own} or ${column(at)} is null`;
    return `(${further} or (${column(at)} = ${own} and ${rest}))`;
  }, fromUrn);
}

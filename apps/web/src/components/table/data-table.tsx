import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactNode } from 'react';
import css from './data-table.module.css';

export interface TableColumn<Row> {
  readonly name: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selected?: string | undefined;
}

/** From here on only the rows in view are in the document. */
const VIRTUAL_FROM = 100;
const ROW_PX = 42;

/** Rows of records. The first column names a row. Long tables scroll in themselves. */
export function DataTable<Row>({ label, columns, rows, keyOf, selected }: DataTableProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const isVirtual = rows.length >= VIRTUAL_FROM;
  const virtualizer = useVirtualizer({
    count: isVirtual ? rows.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const shown = isVirtual ? items.flatMap(({ index }) => rows.slice(index, index + 1)) : rows;
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div
      ref={scroller}
      className={`${css.scroller ?? ''} ${isVirtual ? (css.virtual ?? '') : ''}`}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table className={css.table} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map(({ name, header, isNumber }) => (
              <th key={name} scope="col" className={isNumber === true ? css.number : undefined}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {isVirtual && <Space px={above} columns={columns.length} />}
          {shown.map((row, at) => (
            <tr
              key={keyOf(row)}
              aria-rowindex={(isVirtual ? (items[at]?.index ?? 0) : at) + 2}
              className={keyOf(row) === selected ? css.selected : undefined}
            >
              {columns.map(({ name, cell, isNumber }, place) =>
                place === 0 ? (
                  <th key={name} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={name} className={isNumber === true ? css.number : undefined}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
          {isVirtual && <Space px={below} columns={columns.length} />}
        </tbody>
      </table>
    </div>
  );
}

/** The place of rows that are not in the document. */
function Space({ px, columns }: { readonly px: number; readonly columns: number }) {
  if (px <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} className={css.space} height={px} />
    </tr>
  );
}

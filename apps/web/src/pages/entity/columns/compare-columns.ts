import type { Column } from './read-columns';

/** What became of a column since another time. */
export interface ColumnChange {
  readonly kind: 'new' | 'changed' | 'removed';
  /** What is other than it was: "type", "tags". */
  readonly what: readonly string[];
}

interface ColumnComparison {
  /** By path; a column that is as it was is absent. */
  readonly changes: ReadonlyMap<string, ColumnChange>;
  /** The columns of then that are no more. */
  readonly removed: readonly Column[];
}

const COMPARED = {
  type: ({ type }: Column) => type,
  description: ({ description }: Column) => description ?? '',
  key: ({ isKey }: Column) => String(isKey),
  'empty values': ({ isNullable }: Column) => String(isNullable),
  tags: ({ tags }: Column) => [...tags].sort().join('\n'),
  terms: ({ terms }: Column) => [...terms].sort().join('\n'),
} as const;

/** Compares the columns of two times. */
export function compareColumns(now: readonly Column[], then: readonly Column[]): ColumnComparison {
  const before = new Map(then.map((column) => [column.path, column]));
  const changes = new Map<string, ColumnChange>();
  for (const column of now) {
    const former = before.get(column.path);
    before.delete(column.path);
    const what = former === undefined ? [] : differences(column, former);
    if (former === undefined || what.length > 0)
      changes.set(column.path, { kind: former === undefined ? 'new' : 'changed', what });
  }
  const removed = [...before.values()];
  for (const { path } of removed) changes.set(path, { kind: 'removed', what: [] });
  return { changes, removed };
}

function differences(one: Column, other: Column): readonly string[] {
  return Object.entries(COMPARED).flatMap(([name, read]) => (read(one) === read(other) ? [] : [name]));
}

import type { JsonObject } from '@stratalog/json';
import { aspect, isObject, list, members, type Entity } from '../../../data/entity-card';

export interface Column {
  readonly path: string;
  /** The path without the types that connectors write into it. */
  readonly label: string;
  readonly depth: number;
  readonly type: string;
  readonly description: string | undefined;
  readonly isKey: boolean;
  readonly isNullable: boolean;
  readonly tags: readonly string[];
  readonly terms: readonly string[];
}

/** Of a path; what is nested deeper folds with the last of them. */
const MOST_STEPS = 20;

/** The columns of a schema, with what people edited over what the connector wrote. */
export function readColumns(entity: Entity): readonly Column[] {
  const schema = aspect(entity, 'schemaMetadata');
  const inputs = list(aspect(entity, 'inputFields')?.fields).map((each) =>
    isObject(each) ? each.schemaField : undefined,
  );
  const fields = [...list(schema?.fields), ...inputs].filter(isObject);
  const edited = new Map(
    list(aspect(entity, 'editableSchemaMetadata')?.editableSchemaFieldInfo).flatMap((each) =>
      isObject(each) && typeof each.fieldPath === 'string' ? [[each.fieldPath, each] as const] : [],
    ),
  );
  const keys = new Set(list(schema?.primaryKeys));
  return fields.flatMap((field) => {
    const { fieldPath } = field;
    return typeof fieldPath === 'string'
      ? [toColumn(fieldPath, field, edited.get(fieldPath) ?? {}, keys.has(fieldPath))]
      : [];
  });
}

function toColumn(path: string, field: JsonObject, edited: JsonObject, isPrimary: boolean): Column {
  const label = path.replace(/\[[^\]]*\]\.?/g, '') || path;
  const both = [edited, field];
  return {
    path,
    label,
    depth: Math.min(label.split('.').length - 1, 6),
    type: typeof field.nativeDataType === 'string' ? field.nativeDataType : '',
    description: both
      .map(({ description }) => description)
      .find((text) => typeof text === 'string' && text !== '') as string | undefined,
    isKey: isPrimary || field.isPartOfKey === true,
    isNullable: field.nullable === true,
    tags: [
      ...new Set(
        both.flatMap(({ globalTags }) => (isObject(globalTags) ? members(globalTags.tags, 'tag') : [])),
      ),
    ],
    terms: [
      ...new Set(
        both.flatMap(({ glossaryTerms }) =>
          isObject(glossaryTerms) ? members(glossaryTerms.terms, 'urn') : [],
        ),
      ),
    ],
  };
}

/** The chips above the columns: each leaves some of them. */
export const COLUMN_CHIPS = {
  pii: { label: 'PII', keeps: ({ tags }: Column) => tags.some((tag) => /\bpii\b/i.test(tag)) },
  key: { label: 'Key', keeps: ({ isKey }: Column) => isKey },
  term: { label: 'With a term', keeps: ({ terms }: Column) => terms.length > 0 },
  undescribed: { label: 'No description', keeps: ({ description }: Column) => description === undefined },
} as const;
export type ColumnChip = keyof typeof COLUMN_CHIPS;

export function readChip(only: string | undefined): ColumnChip | undefined {
  return (Object.keys(COLUMN_CHIPS) as ColumnChip[]).find((name) => name === only);
}

export function keepColumns(
  columns: readonly Column[],
  chip: ColumnChip | undefined,
  filter: string,
): readonly Column[] {
  const words = filter.trim().toLowerCase();
  return columns.filter(
    (column) =>
      (chip === undefined || COLUMN_CHIPS[chip].keeps(column)) &&
      (words === '' ||
        `${column.label} ${column.type} ${column.description ?? ''}`.toLowerCase().includes(words)),
  );
}

/** The labels of the columns that have nested ones. */
export function findParents(columns: readonly Column[]): ReadonlySet<string> {
  const labels = new Set(columns.map(({ label }) => label));
  return new Set(columns.flatMap(({ label }) => around(label).filter((each) => labels.has(each))));
}

/** Leaves out what lies in a folded column. */
export function foldColumns(columns: readonly Column[], folded: readonly string[]): readonly Column[] {
  if (folded.length === 0) return columns;
  const closed = new Set(folded);
  return columns.filter(({ label }) => !around(label).some((each) => closed.has(each)));
}

/** `a.b.c` lies in `a.b` and `a`. */
function around(label: string): readonly string[] {
  const steps = label.split('.').slice(0, MOST_STEPS);
  return steps.slice(1).map((_, at) => steps.slice(0, at + 1).join('.'));
}

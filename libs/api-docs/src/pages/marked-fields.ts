import {
  dereferenced,
  type AspectType,
  type FieldSchema,
  type RelationshipPath,
  type Schema,
  type SearchPath,
} from '@stratalog/registry';

/** The annotations of one field in this aspect. */
export interface FieldMarks {
  readonly searched: SearchPath[];
  readonly related: RelationshipPath[];
}

/** Returns the fields of an aspect, at any depth, that have search or relationship annotations. */
export function markedFields({
  record,
  searchFields,
  relationships,
}: AspectType): ReadonlyMap<FieldSchema, FieldMarks> {
  const marks = new Map<FieldSchema, FieldMarks>();
  const marksOf = (path: string): FieldMarks | undefined => {
    const field = fieldAt(record, path);
    if (field === undefined) return undefined;
    const found = marks.get(field) ?? { searched: [], related: [] };
    marks.set(field, found);
    return found;
  };
  for (const path of searchFields) marksOf(path.path)?.searched.push(path);
  for (const path of relationships) marksOf(path.path)?.related.push(path);
  return marks;
}

/** Returns the innermost field on a path such as `/owners/*\/owner`. */
function fieldAt(record: Schema, path: string): FieldSchema | undefined {
  let type: Schema = record;
  let innermost: FieldSchema | undefined;
  for (const segment of path.split('/').slice(1)) {
    const inner = dereferenced(type);
    if (inner.kind === 'record') {
      innermost = inner.fields.find(({ name }) => name === segment);
      if (innermost === undefined) return undefined;
      type = innermost.type;
    } else if (inner.kind === 'array') type = inner.items;
    else if (inner.kind === 'map') type = inner.values;
    else if (inner.kind === 'union') type = inner.members.find(({ key }) => key === segment)?.type ?? inner;
  }
  return innermost;
}

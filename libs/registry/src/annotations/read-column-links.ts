import { dereferenced, type RecordSchema, type Schema } from '../schema/schema';

/** A list of an aspect that links columns with columns, which no annotation describes. */
export interface ColumnLinks {
  /**
   * `pairs`: each element links every urn of `downstreams` with every urn of `upstreams`. `inputs`: each element links
   * a column of the entity with the column `schemaFieldUrn`.
   */
  readonly kind: 'pairs' | 'inputs';
  /** Name of the list in the aspect. */
  readonly field: string;
}

/** Element types of such lists by the last part of their name, with the members that links are read from. */
const ELEMENTS: Readonly<
  Record<string, Pick<ColumnLinks, 'kind'> & { readonly members: readonly string[] }>
> = {
  FineGrainedLineage: { kind: 'pairs', members: ['upstreams', 'downstreams'] },
  InputField: { kind: 'inputs', members: ['schemaFieldUrn', 'schemaField'] },
};

/** Finds the lists of an aspect that link columns, by the type of their elements. */
export function readColumnLinks({ fields }: RecordSchema): readonly ColumnLinks[] {
  return fields.flatMap(({ name, type }) => {
    const kind = linkKind(type);
    return kind === undefined ? [] : [{ kind, field: name }];
  });
}

function linkKind(type: Schema): ColumnLinks['kind'] | undefined {
  const list = dereferenced(type);
  const element = list.kind === 'array' ? dereferenced(list.items) : list;
  if (list.kind !== 'array' || element.kind !== 'record') return undefined;
  const known = ELEMENTS[element.name.slice(element.name.lastIndexOf('.') + 1)];
  const names = new Set(element.fields.map(({ name }) => name));
  return known?.members.every((member) => names.has(member)) === true ? known.kind : undefined;
}

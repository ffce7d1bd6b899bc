import type { GraphQLResolveInfo } from 'graphql';
import { entityTypeIn } from '@stratalog/domain';
import { isJsonObject } from '@stratalog/json';
import { columnUrn } from '@stratalog/registry';
import type { CallScope } from '../call-scope';
import type { SentLineageSearch, SentPage, SentScroll, SentSearch } from '../filters/sent-search';
import { findEntities, findEntity } from '../roots/find-entity';
import { scroll, search } from '../roots/search';
import { scrollLineage, searchLineage } from '../roots/search-lineage';
import { valueAt } from './plan-fields';
import { readSchemaMetadata } from './schema-metadata';
import { EntityRef, type AspectPart } from './values';

/** Resolves one field. The schema has checked what is given, and decides what encloses the field. */
export type Resolver = (source: never, given: never, scope: CallScope, info: GraphQLResolveInfo) => unknown;

interface Named {
  readonly urn: string;
}

interface Given<Input> {
  readonly input: Input;
}

/** The fields of every entity type. */
export const ENTITY_RESOLVERS: Readonly<Record<string, Resolver>> = {
  urn: ({ urn }: EntityRef) => urn,
  type: ({ urn }: EntityRef, _given, { names }) => names.nameOf(entityTypeIn(urn)),
  domain: async ({ urn }: EntityRef, _given, { loader }) => {
    const domain = valueAt(await loader.aspect(urn, 'domains'), ['domains', '0']);
    return typeof domain === 'string' ? { domain: new EntityRef(domain) } : null;
  },
};

/** The fields whose values the directives of the schema cannot name. */
export const FIELD_RESOLVERS: Readonly<Record<string, Resolver>> = {
  'Query.entity': (_root, { urn }: Named, scope) => findEntity(scope, urn),
  'Query.entities': (_root, { urns }: { readonly urns: readonly string[] }, scope) =>
    findEntities(scope, urns),
  'Query.dataset': (_root, { urn }: Named, scope) => findEntity(scope, urn, 'dataset'),
  'Query.searchAcrossEntities': (_root, { input }: Given<SentSearch & SentPage>, scope, info) =>
    search(scope, input, info),
  'Query.scrollAcrossEntities': (_root, { input }: Given<SentSearch & SentScroll>, scope, info) =>
    scroll(scope, input, info),
  'Query.searchAcrossLineage': (_root, { input }: Given<SentLineageSearch & SentPage>, scope, info) =>
    searchLineage(scope, input, info),
  'Query.scrollAcrossLineage': (_root, { input }: Given<SentLineageSearch & SentScroll>, scope, info) =>
    scrollLineage(scope, input, info),
  'GenericEntity.aspects': async ({ urn }: EntityRef, _given, { loader }) =>
    (await loader.all(urn)).map(({ name, value }) => ({ aspectName: name, payload: value })),
  'Dataset.schemaMetadata': (dataset: EntityRef, { version }: { readonly version?: number }, scope) =>
    readSchemaMetadata(scope, dataset, version),
  'SchemaField.type': ({ value }: AspectPart) => toFieldType(value),
  'SchemaField.schemaFieldEntity': ({ owner, value }: AspectPart) =>
    new EntityRef(columnUrn(owner.urn, String(value.fieldPath))),
};

/** The type of a column is a union, whose member names it. */
function toFieldType({ type }: AspectPart['value']): string {
  const [name] = isJsonObject(type) && isJsonObject(type.type) ? Object.keys(type.type) : [];
  const word = (name ?? 'NullType').replace(/^.*\./, '').replace(/Type$/, '').toUpperCase();
  return word === 'RECORD' ? 'STRUCT' : word;
}

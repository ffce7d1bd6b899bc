import type { GraphQLResolveInfo } from 'graphql';
import { entityTypeIn } from '@stratalog/domain';
import { valueAt } from '@stratalog/json';
import type { CallScope } from '../call-scope';
import type { SentLineageSearch, SentPage, SentScroll, SentSearch } from '../filters/sent-search';
import { MUTATION_RESOLVERS } from '../changes/mutation-resolvers';
import { findEntities, findEntity } from '../roots/find-entity';
import {
  findInDomain,
  listQueries,
  findInProduct,
  listIncidents,
  listOwnershipTypes,
  listRelatedDocuments,
  listRuns,
  type SentDocuments,
  type SentQueries,
} from '../roots/listings';
import { listAssertions, readRelated, type SentRelationships } from '../roots/related';
import { scroll, search } from '../roots/search';
import { scrollLineage, searchLineage } from '../roots/search-lineage';
import { readOperations, readRunEvents, type SentSeries } from '../roots/timeseries';
import { listParents } from './parents';
import { PART_RESOLVERS } from './part-resolvers';
import { readSchemaMetadata } from './schema-metadata';
import { EntityRef } from './values';

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
  relationships: (entity: EntityRef, { input }: Given<SentRelationships>, scope) =>
    readRelated(scope, entity, input),
  relatedDocuments: (entity: EntityRef, { input }: Given<SentDocuments>, scope) =>
    listRelatedDocuments(scope, entity, input),
  incidents: (entity: EntityRef, sent: SentPage & { readonly state?: string | null }, scope) =>
    listIncidents(scope, entity, sent),
  // Incidents, assertions and usage tell these; nothing sums them up here.
  health: () => null,
  statsSummary: () => null,
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
  'Dataset.schemaMetadata': (
    dataset: EntityRef,
    { version }: { readonly version?: number | bigint | null },
    scope,
  ) => readSchemaMetadata(scope, dataset, version),
  'Query.dataJob': (_root, { urn }: Named, scope) => findEntity(scope, urn, 'dataJob'),
  'Query.me': (_root, _given, { actor }) => ({ corpUser: new EntityRef(actor) }),
  'Query.appConfig': () => ({ telemetryConfig: { enableThirdPartyLogging: false } }),
  'Query.globalViewsSettings': async (_root, _given, { loader, deps }) => {
    const settings = `urn:${deps.registry.urnNamespace}:globalSettings:0`;
    const aspect = await loader.aspect(settings, 'globalSettingsInfo');
    return { defaultView: valueAt(aspect, ['views', 'defaultView']) };
  },
  'Query.listQueries': (_root, { input }: Given<SentQueries>, scope) => listQueries(scope, input),
  'Query.listOwnershipTypes': (
    _root,
    { input }: Given<SentPage & Pick<SentSearch, 'query' | 'filters'>>,
    scope,
  ) => listOwnershipTypes(scope, input),
  'Dataset.assertions': (dataset: EntityRef, page: SentPage, scope) => listAssertions(scope, dataset, page),
  'Dataset.operations': (dataset: EntityRef, sent: SentSeries, scope) => readOperations(scope, dataset, sent),
  'Assertion.runEvents': (assertion: EntityRef, sent: SentSeries, scope) =>
    readRunEvents(scope, assertion, sent),
  'DataJob.runs': (job: EntityRef, page: SentPage, scope) => listRuns(scope, job, page),
  'DataJob.lastIngested': readLastIngested,
  'DataFlow.lastIngested': readLastIngested,
  'CorpUser.exists': ({ urn }: EntityRef, _given, { loader }) => loader.exists(urn),
  'Domain.entities': (domain: EntityRef, { input }: Partial<Given<SentSearch & SentPage>>, scope, info) =>
    findInDomain(scope, domain, input ?? {}, info),
  'DataProduct.entities': (
    product: EntityRef,
    { input }: Partial<Given<SentSearch & SentPage>>,
    scope,
    info,
  ) => findInProduct(scope, product, input ?? {}, info),
  'Domain.parentDomains': async (domain: EntityRef, _given, scope) => {
    const domains = await listParents(scope, domain, {
      aspectName: 'domainProperties',
      member: 'parentDomain',
    });
    return { count: domains.length, domains };
  },
  'GlossaryTerm.parentNodes': async (term: EntityRef, _given, scope) => {
    const inTerm = { aspectName: 'glossaryTermInfo', member: 'parentNode' };
    const inNode = { aspectName: 'glossaryNodeInfo', member: 'parentNode' };
    const nodes = await listParents(scope, term, inTerm, inNode);
    return { count: nodes.length, nodes };
  },
  ...PART_RESOLVERS,
  ...MUTATION_RESOLVERS,
};

/** The last time at which a connector saw any aspect of an entity. */
async function readLastIngested(
  { urn }: EntityRef,
  _given: never,
  { loader }: CallScope,
): Promise<number | null> {
  const seen = (await loader.all(urn)).map(({ systemMetadata }) => Number(systemMetadata?.lastObserved ?? 0));
  const last = Math.max(0, ...seen);
  return last === 0 ? null : last;
}

import type { CatalogRequest } from '../load/requests';
import { ROOTS } from '../workload/lineage-generator';

/** The calls for each answer, by Rest.li and by GraphQL. */
export interface CallPair {
  readonly name: string;
  readonly restli: readonly (readonly CatalogRequest[])[];
  readonly graphql: readonly (readonly CatalogRequest[])[];
}

const PAGE = 10;
const ENTITY = `query ($urn: String!) {entity(urn: $urn) {urn type ... on Dataset {properties {name description customProperties {key value}}
  tags {tags {tag {urn}}} ownership {owners {type owner {... on CorpUser {urn} ... on CorpGroup {urn}}}}}}}`;
const SEARCH = `query ($input: SearchAcrossEntitiesInput!) {searchAcrossEntities(input: $input) {start count total searchResults {entity {urn type ... on Dataset {
  properties {name description} tags {tags {tag {urn properties {name}}}} ownership {owners {type owner {... on CorpUser {urn username info {displayName}} ... on CorpGroup {urn}}}}}}}}}`;
const LINEAGE = `query ($input: SearchAcrossLineageInput!) {searchAcrossLineage(input: $input) {start count total searchResults {degree paths {path {urn}} entity {urn type}}}}`;

/** Asks the catalog what its searches find, because a client asks for that next. */
export async function listPairs(
  url: string,
  { answers, trees }: { readonly answers: number; readonly trees: number },
): Promise<readonly CallPair[]> {
  const searches = Array.from({ length: answers }, (_each, at) => ({
    input: '*',
    entities: ['dataset'],
    start: (at * PAGE) % 40,
    count: PAGE,
    searchFlags: { skipAggregates: true, skipHighlighting: true },
  }));
  const pages = new Map<number, Page>();
  for (const { start } of searches) {
    if (!pages.has(start)) pages.set(start, await readPage(url, start));
  }
  const pageAt = (at: number): Page => pages.get(searches[at]?.start ?? 0) ?? { urns: [], named: [] };
  const urns = [...pages.values()].flatMap((page) => page.urns);
  const urnAt = (at: number): string => urns[at % urns.length] ?? '';
  const lineage = { direction: 'DOWNSTREAM', start: 0, count: PAGE } as const;
  const all = Array.from({ length: answers }, (_each, at) => at);
  return [
    {
      name: 'an entity',
      restli: all.map((at) => [readMany([urnAt(at)], ['datasetProperties', 'globalTags', 'ownership'])]),
      graphql: all.map((at) => [text(ENTITY, { urn: urnAt(at) })]),
    },
    {
      name: 'a page of a search with owners and tags',
      restli: searches.map((body, at) => [
        { target: '/entities?action=searchAcrossEntities', body },
        readMany(pageAt(at).urns, ['datasetProperties', 'globalTags', 'ownership']),
        ...(pageAt(at).named.length === 0
          ? []
          : [readMany(pageAt(at).named, ['tagProperties', 'corpUserInfo'])]),
      ]),
      graphql: searches.map(({ start }) => [
        text(SEARCH, {
          input: {
            query: '*',
            types: ['DATASET'],
            start,
            count: PAGE,
            searchFlags: { skipAggregates: true, skipHighlighting: true },
          },
        }),
      ]),
    },
    {
      name: 'lineage of 3 hops',
      restli: all.map((at) => [
        {
          target: '/entities?action=searchAcrossLineage',
          body: {
            ...lineage,
            urn: ROOTS.tree(at % trees),
            input: '*',
            searchFlags: { skipAggregates: true, skipHighlighting: true },
          },
        },
      ]),
      graphql: all.map((at) => [
        text(LINEAGE, {
          input: {
            ...lineage,
            urn: ROOTS.tree(at % trees),
            query: '*',
            searchFlags: { skipAggregates: true, skipHighlighting: true },
          },
        }),
      ]),
    },
  ];
}

interface Page {
  readonly urns: readonly string[];
  /** The tags and owners of its entities. */
  readonly named: readonly string[];
}

async function readPage(url: string, start: number): Promise<Page> {
  const { target, body } = text(SEARCH, { input: { query: '*', types: ['DATASET'], start, count: PAGE } });
  const answer = await fetch(`${url}${target}`, { method: 'POST', body: JSON.stringify(body) });
  const found = await answer.text();
  const named = new Set(found.match(/urn:li:(?:tag|corpuser):[^"]+/g));
  const urns = [...found.matchAll(/"entity":\{"urn":"([^"]+)"/g)].map(([, urn]) => urn ?? '');
  if (answer.status !== 200 || urns.length === 0) throw new Error(`no page: ${found.slice(0, 500)}`);
  return { urns, named: [...named] };
}

function text(query: string, variables: object): CatalogRequest & { readonly body: object } {
  return { target: '/api/graphql', body: { query: query.replaceAll(/\s+/g, ' '), variables } };
}

function readMany(urns: readonly string[], aspects: readonly string[]): CatalogRequest {
  const ids = urns.map((urn) => encodeURIComponent(urn).replaceAll('(', '%28').replaceAll(')', '%29'));
  return { target: `/entitiesV2?ids=List(${ids.join(',')})&aspects=List(${aspects.join(',')})` };
}

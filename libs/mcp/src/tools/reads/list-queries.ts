import { columnUrn } from '@stratalog/registry';
import { column, urn } from '../arguments';
import { partOfList } from '../places';
import { defineTool } from '../tool';

/** Queries that one call reads. */
const PAGE = 20;
const WINDOW = 10_000;

export const listQueries = defineTool({
  name: 'list_queries',
  title: 'List the queries on a dataset',
  description: `Lists the queries that read or write a dataset or one of its columns, the last modified first: their text, name, description, and whether a person wrote them down or they were seen on the platform.`,
  effect: 'reads',
  input: { urn, column },
  run: async ({ reads }, { urn: of, column: path }, from) => {
    const subject = path === undefined ? of : columnUrn(of, path);
    const { answer } = await reads.call('POST /entities?action=searchAcrossEntities', {
      input: '*',
      entities: ['query'],
      start: from.skip,
      count: Math.min(PAGE, Math.max(0, WINDOW - from.skip)),
      filter: { or: [{ and: [{ field: 'entities', values: [subject] }] }] },
      sort: { field: 'lastModifiedAt', order: 'DESCENDING' },
      searchFlags: { skipAggregates: true, skipHighlighting: true },
    });
    const { urns } = answer.metadata;
    const described =
      urns.length === 0
        ? {}
        : (await reads.call('GET /entitiesV2', { ids: urns, aspects: ['queryProperties'] })).answer.results;
    const queries = urns.map((each) => {
      const { statement, name, description, source, lastModified } =
        described[each]?.aspects.queryProperties?.value ?? {};
      return { urn: each, name, description, source, statement, lastModified };
    });
    return {
      about: { urn: subject, total: answer.numEntities },
      list: partOfList('queries', queries, from, Math.min(answer.numEntities, WINDOW)),
    };
  },
});

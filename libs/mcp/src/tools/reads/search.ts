import { integer, text } from '@stratalog/http';
import { entityTypeIn } from '@stratalog/domain';
import * as z from 'zod';
import { partOfList } from '../places';
import { defineTool } from '../tool';

/** Deepest match of a search. */
const WINDOW = 10_000;
const MAX_QUERY_BYTES = 8_192;

export const search = defineTool({
  name: 'search',
  title: 'Search the catalog',
  description: `Finds datasets, charts, dashboards, jobs, glossary terms, tags, people and other entities by words. Answers what people recognize each by: urn, name, platform, description, owners, tags and domains; the best matches first.
AND joins words; "two words" is a phrase, ord* a prefix, -draft excludes, OR and parentheses combine, platform:hive searches one field. * finds everything.`,
  effect: 'reads',
  input: {
    query: text(MAX_QUERY_BYTES).describe('The words, or * for everything.'),
    types: z
      .array(z.string())
      .optional()
      .describe(
        'Only these entity types, such as dataset, chart, dashboard, dataJob, glossaryTerm. Absent: all.',
      ),
    filters: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe(
        'Only entities with one of the values in each of the fields: {"platform": ["urn:li:dataPlatform:hive"], "tags": ["urn:li:tag:pii"]}. Other fields are owners, domains, glossaryTerms, typeNames, origin.',
      ),
    count: integer({ minimum: 1, maximum: 50 }).default(10).describe('Most entities of one answer.'),
  },
  run: async ({ reads }, { query, types = [], filters = {}, count }, from) => {
    const criteria = Object.entries(filters);
    const { answer } = await reads.call('POST /entities?action=searchAcrossEntities', {
      input: query,
      entities: types,
      start: from.skip,
      count: Math.min(count, Math.max(0, WINDOW - from.skip)),
      searchFlags: { cards: true, skipAggregates: true, skipHighlighting: true },
      ...(criteria.length === 0
        ? {}
        : { filter: { or: [{ and: criteria.map(([field, values]) => ({ field, values: [...values] })) }] } }),
    });
    const { numEntities, metadata } = answer;
    const { urns, cards = [], suggestions, fallback } = metadata;
    const entities = urns.map((urn, at) => ({ urn, type: entityTypeIn(urn), ...cards[at] }));
    return {
      about: {
        total: numEntities,
        ...(fallback === undefined ? {} : { matches: fallback }),
        ...(suggestions.length === 0 ? {} : { suggestions: suggestions.map((each) => each.text) }),
      },
      list: partOfList('entities', entities, from, Math.min(numEntities, WINDOW)),
    };
  },
});

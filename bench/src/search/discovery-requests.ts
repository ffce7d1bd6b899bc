import { SeededRandom } from '@stratalog/harness';
import type { CatalogRequest } from '../load/requests';
import type { Goal } from '../report/measurement';
import type { Dataset, DatasetGenerator } from '../workload/dataset-generator';

/** Requests of one kind, which are measured together. */
export interface RequestClass {
  readonly name: string;
  readonly goals: readonly Goal[];
  readonly requests: readonly CatalogRequest[];
}

const SEED = 53;
const FILTER_GOAL: readonly Goal[] = [{ of: 'p95Ms', atMost: 150 }];
const FACETS_GOAL: readonly Goal[] = [{ of: 'p95Ms', atMost: 250 }];
const COMPLETION_GOAL: readonly Goal[] = [{ of: 'p95Ms', atMost: 15 }];

type Criterion = Readonly<Record<string, string | boolean>>;

/**
 * Makes the requests by which people discover entities in addition to plain words: each condition of a filter, orders, facets,
 * folders, completions, and searches across types. Texts come from datasets that exist.
 */
export function discoveryClasses(
  datasets: DatasetGenerator,
  { datasets: datasetCount, requests }: { readonly datasets: number; readonly requests: number },
): readonly RequestClass[] {
  const random = new SeededRandom(SEED);
  const defineClass = (
    name: string,
    goals: readonly Goal[],
    make: (dataset: Dataset) => CatalogRequest,
  ): RequestClass => ({
    name,
    goals,
    requests: Array.from({ length: requests }, () => make(datasets.at(random.below(datasetCount)))),
  });
  const filtered = (condition: string, make: (dataset: Dataset) => Criterion): RequestClass =>
    defineClass(condition, FILTER_GOAL, (dataset) => search({ filter: { or: [{ and: [make(dataset)] }] } }));
  const ordered = (name: string, sort: Readonly<Record<string, string>>): RequestClass =>
    defineClass(name, FILTER_GOAL, () => search({ sort }));
  return [
    filtered('EQUAL of a platform', ({ platform }) => ({
      field: 'platform',
      value: `urn:li:dataPlatform:${platform}`,
    })),
    filtered('EXISTS', () => ({ field: 'owners', condition: 'EXISTS' })),
    filtered('CONTAIN of a name', ({ name }) => ({
      field: 'name',
      condition: 'CONTAIN',
      value: name.split('_')[1] ?? '',
    })),
    filtered('CONTAIN of two letters', ({ name }) => ({
      field: 'name',
      condition: 'CONTAIN',
      value: name.slice(-6, -4),
    })),
    filtered('negated CONTAIN', ({ name }) => ({
      field: 'name',
      condition: 'CONTAIN',
      value: name.split('_')[1] ?? '',
      negated: true,
    })),
    filtered('START_WITH', ({ name }) => ({
      field: 'name',
      condition: 'START_WITH',
      value: (name.split('.')[1] ?? '').slice(0, 6),
    })),
    filtered('END_WITH', ({ name }) => ({ field: 'name', condition: 'END_WITH', value: name.slice(-2) })),
    filtered('GREATER_THAN', ({ name }) => ({
      field: 'name',
      condition: 'GREATER_THAN',
      value: (name.split('.')[1] ?? '').slice(0, 6),
    })),
    filtered('IEQUAL', ({ name }) => ({
      field: 'name',
      condition: 'IEQUAL',
      value: (name.split('.')[1] ?? '').toUpperCase(),
    })),
    ordered('order by name', { field: 'name', order: 'ASCENDING' }),
    ordered('order by platform, descending', { field: 'platform', order: 'DESCENDING' }),
    defineClass('order within a tag', FILTER_GOAL, ({ tags: [tag = 'label_0'] }) =>
      search({
        filter: { or: [{ and: [{ field: 'tags', value: `urn:li:tag:${tag}` }] }] },
        sort: { field: 'name', order: 'ASCENDING' },
      }),
    ),
    defineClass('facets of everything', FACETS_GOAL, () => across({ input: '*' })),
    defineClass('words across types', FILTER_GOAL, ({ words: [word = ''] }) => across({ input: word })),
    defineClass('browse', FILTER_GOAL, ({ platform }) => ({
      target: '/entities?action=browse',
      body: { path: `/prod/${platform}`, entity: 'dataset', start: 0, limit: 10 },
    })),
    defineClass('autocomplete', COMPLETION_GOAL, ({ name }) => ({
      target: '/entities?action=autocomplete',
      body: { query: (name.split('.')[1] ?? '').slice(0, 10), entity: 'dataset', limit: 10 },
    })),
  ];
}

function search(members: object): CatalogRequest {
  return {
    target: '/entities?action=search',
    body: { input: '*', entity: 'dataset', start: 0, count: 10, ...members },
  };
}

function across(members: object): CatalogRequest {
  return { target: '/entities?action=searchAcrossEntities', body: { start: 0, count: 10, ...members } };
}

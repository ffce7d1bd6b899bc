import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import type { RawRequest } from '../testing/catalog/raw-http';
import { post } from '../testing/catalog/wire-case';
import type { RejectedCase } from './rejected-case';

export const search = (parameters: JsonOutputObject): RawRequest =>
  post(
    '/entities?action=search',
    stringifyJson({ input: '*', entity: 'dataset', start: 0, count: 10, ...parameters }),
  );

export const SEARCHES: readonly RejectedCase[] = [
  ...(['input', 'entity', 'start', 'count'] as const).map((name): RejectedCase => [
    `without ${name}`,
    search({ [name]: undefined }),
    400,
    `Parameter '${name}' is required`,
  ]),
  [
    'for more text than anybody types',
    search({ input: 'é'.repeat(4_097) }),
    400,
    '/input :: is longer than 8192 bytes of UTF-8',
  ],
  ['with a number as input', search({ input: 1 }), 400, '/input :: 1 is not a string'],
  [
    'of an unknown entity',
    search({ entity: 'nonsense' }),
    400,
    'Failed to find entity with name nonsense in EntityRegistry',
  ],
  ['from before the start', search({ start: -1 }), 400, '/start :: -1 is not an integer from 0'],
  ['with a text as start', search({ start: 'x' }), 400, '/start :: "x" is not an integer'],
  ['of half an entity', search({ count: 0.5 }), 400, '/count :: 0.5 is not an integer'],
  ['of too many', search({ count: 10_001 }), 400, '/count :: 10001 is not an integer from 0 to 10000'],
  ['beyond the window', search({ start: 9_999 }), 400, 'start + count is 10009, but must not exceed 10000'],
  [
    'with a filter by a field that is not searchable',
    search({ filter: { or: [{ and: [{ field: 'colour', value: 'x' }] }] } }),
    400,
    '/filter/or/0/and/0/field :: colour is no searchable field of the entity type dataset',
  ],
  [
    'in the order of a field that is not searchable',
    search({ sort: { field: 'colour' } }),
    400,
    '/sort/field :: colour is no searchable field of the entity type dataset',
  ],
];

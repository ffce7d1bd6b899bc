import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Address, AnswerOf, ParametersOf } from './api';

const LIBS = join(import.meta.dirname, '../..');
/** The routes of other dialects, which have clients of their own: OpenAPI, GraphQL, and the schema registry. */
const OTHER_DIALECTS =
  /\/(?:openapi|graphql|change-events|tracing|schemas|consumer-lag\.routes|engine-search\.routes)\b/;

type SearchBody = ParametersOf<'POST /entities?action=search'>;
/** Actions aside, an answer that is neither an object nor empty: the client would take it for that of another server. */
type Bare = {
  [Each in Exclude<Address, `${string}?action=${string}`>]: AnswerOf<Each> extends
    | Readonly<Record<string, unknown>>
    | undefined
    ? never
    : Each;
}[Exclude<Address, `${string}?action=${string}`>];
/** An address with a part that the compiler does not know would let any other text pass. */
type Vague = { [Each in Address]: object extends Record<Each, 1> ? Each : never }[Address];

describe('the types of calls', () => {
  it.each([
    ['stages/admin/src', 'admin-routes.ts'],
    ['stages/graph/src', 'graph-routes.ts'],
    ['stages/ingest/src', 'ingest-routes.ts'],
    ['stages/query/src', 'query-routes.ts'],
    ['runtime/src', 'health/server-routes.ts'],
  ])('include every route of %s', (folder, list) => {
    const files = readdirSync(join(LIBS, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.routes.ts'))
      .map((file) => `/${file}`);
    const text = readFileSync(join(LIBS, folder, list), 'utf8');
    const listed = [...text.matchAll(/ from '\.(\/.*\.routes)';$/gm)].map(([, file = '']) => file);
    const wanted = files.filter((file) => !OTHER_DIALECTS.test(file)).map((file) => file.slice(0, -3));
    expect(wanted.length).toBeGreaterThan(0);
    // A list lies in the folder of its routes or above them.
    expect(wanted.map((file) => listed.some((each) => file.endsWith(each)))).toEqual(wanted.map(() => true));
    expect(listed).toHaveLength(wanted.length);
  });

  it('know every address, parameter and member', () => {
    const vague: readonly Vague[] = [];
    const bare: readonly Bare[] = [];
    const search: SearchBody = { entity: 'dataset', input: 'orders', start: 0, count: 10 };
    const filtered: SearchBody = { ...search, filter: { or: [{ and: [{ field: 'tags', values: ['a'] }] }] } };
    const read = ({ numEntities, metadata }: AnswerOf<'POST /entities?action=search'>): number =>
      numEntities + metadata.matches.length;
    const snapshot: ParametersOf<'POST /entities?action=ingest'> = {
      entity: {
        value: { 'com.linkedin.metadata.snapshot.TagSnapshot': { urn: 'urn:li:tag:a', aspects: [] } },
      },
    };
    const values: ParametersOf<'POST /aspects?action=getTimeseriesAspectValues'> = {
      entity: 'dataset',
      aspect: 'datasetProfile',
      urn: 'urn:li:dataset:a',
      filter: { or: [{ and: [{ field: 'rowCount', condition: 'EXISTS' }] }] },
    };
    // @ts-expect-error -- no such address
    const address: Address = 'POST /entities?action=find';
    // @ts-expect-error -- `input` is required
    const incomplete: SearchBody = { entity: 'dataset', start: 0, count: 10 };
    // @ts-expect-error -- no such condition
    const condition: SearchBody = { ...search, filter: { criteria: [{ field: 'tags', condition: 'LIKE' }] } };
    // @ts-expect-error -- an entity has no such member
    const member = ({ owner }: AnswerOf<'GET /entitiesV2/:urn'>): unknown => owner;
    expect([
      vague,
      bare,
      filtered,
      snapshot,
      values,
      read,
      address,
      incomplete,
      condition,
      member,
    ]).toHaveLength(10);
  });
});

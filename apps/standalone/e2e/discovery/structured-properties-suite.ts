import { beforeAll, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const property = (name: string): string => `urn:li:structuredProperty:${name}`;
const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const [A, B, C] = [dataset('a'), dataset('b'), dataset('c')];
const CHART = 'urn:li:chart:(looker,a)';
const LEVEL = 'io.acme.level';
const DAYS = 'io.acme.days';
const UNTIL = 'io.acme.until';
const STEWARDS = 'io.acme.stewards';

type Values = Readonly<Record<string, readonly (string | number)[]>>;

/** Structured properties on a catalog with these settings: what is refused, and how they are searched. */
export function structuredPropertiesSuite(environment: Readonly<Record<string, string>>): void {
  const catalog = catalogForSuite({
    environment: { ...environment, STRATALOG_TOKEN: 'the-token-of-the-operator' },
  });
  const define = (name: string, more: JsonOutputObject) => ({
    urn: property(name),
    aspectName: 'propertyDefinition',
    value: { qualifiedName: name, entityTypes: ['urn:li:entityType:datahub.dataset'], ...more },
  });
  const assign = (urn: string, values: Values) => ({
    urn,
    aspectName: 'structuredProperties',
    value: {
      properties: Object.entries(values).map(([name, own]) => ({
        propertyUrn: property(name),
        values: own.map((value) => (typeof value === 'string' ? { string: value } : { double: value })),
      })),
    },
  });
  const answerTo = async (
    sent: Parameters<typeof catalog.http.ingest>[0],
  ): Promise<readonly [number, JsonValue]> => {
    const { status, json } = await catalog.http.ingest(sent);
    return [status, status === 200 ? 'written' : (at(json, 'message') as JsonValue)];
  };
  const typed = (type: string) => ({ valueType: `urn:li:dataType:datahub.${type}` });
  const DEFINITIONS: readonly (readonly [string, JsonOutputObject])[] = [
    [
      LEVEL,
      { ...typed('string'), allowedValues: ['Top secret', 'Open'].map((string) => ({ value: { string } })) },
    ],
    [DAYS, { ...typed('number'), cardinality: 'MULTIPLE' }],
    [UNTIL, typed('date')],
    [
      STEWARDS,
      {
        ...typed('urn'),
        cardinality: 'MULTIPLE',
        typeQualifier: { allowedTypes: ['urn:li:entityType:datahub.corpuser'] },
      },
    ],
  ];

  beforeAll(async () => {
    for (const [name, more] of DEFINITIONS)
      expect(await answerTo(define(name, more))).toEqual([200, 'written']);
    for (const urn of [A, B, C]) await catalog.http.write(urn, 'status', { removed: false });
    const written: readonly (readonly [string, Values])[] = [
      [A, { [LEVEL]: ['Top secret'], [DAYS]: [30, 7.5], [UNTIL]: ['2026-01-31'] }],
      [B, { [LEVEL]: ['Open'], [DAYS]: [200], [STEWARDS]: ['urn:li:corpuser:ada'] }],
    ];
    for (const [urn, values] of written)
      expect(await answerTo(assign(urn, values))).toEqual([200, 'written']);
    await catalog.http.caughtUp();
  });

  it.each<[string, string, Values, string]>([
    ['a number for a text', A, { [LEVEL]: [1] }, '/properties/0/values/0 :: is not a text'],
    ['a text for a number', A, { [DAYS]: [1, 'x'] }, '/properties/0/values/1 :: is not a number'],
    [
      'another value',
      A,
      { [LEVEL]: ['Secret'] },
      '/properties/0/values/0 :: Secret is not one of Top secret, Open',
    ],
    [
      'several values',
      A,
      { [LEVEL]: ['Open', 'Top secret'] },
      '/properties/0/values :: has 2 values, and the property takes one',
    ],
    [
      'a day that is none',
      A,
      { [UNTIL]: ['2026-02-30'] },
      '/properties/0/values/0 :: is not a date such as 2026-01-31',
    ],
    ['a text for a urn', A, { [STEWARDS]: ['ada'] }, '/properties/0/values/0 :: is not a urn'],
    [
      'a urn of another type',
      A,
      { [STEWARDS]: [A] },
      '/properties/0/values/0 :: is a dataset, and the property takes corpuser',
    ],
    [
      'an entity of another type',
      CHART,
      { [DAYS]: [1] },
      `/properties/0/propertyUrn :: ${property(DAYS)} is a property of dataset, not of chart`,
    ],
    [
      'a property without a definition',
      A,
      { [DAYS]: [1], none: [1] },
      `/properties/1/propertyUrn :: ${property('none')} has no propertyDefinition`,
    ],
  ])('rejects %s, and changes nothing', async (_, urn, values, reason) => {
    const [status, message] = await answerTo(assign(urn, values));
    expect([status, message]).toEqual([422, expect.stringContaining(`ERROR :: ${reason}`)]);
    const { json } = await catalog.http.get(
      `/entitiesV2/${encodeURIComponent(A)}?aspects=List(structuredProperties)`,
    );
    expect(stringifyJson(json as JsonOutputObject)).toContain('Top secret');
  });

  it('rejects a patch that assigns a wrong value', async () => {
    const path = `/properties/${property(LEVEL)}`;
    const answer = await answerTo({
      urn: A,
      aspectName: 'structuredProperties',
      value: [{ op: 'add', path, value: { propertyUrn: property(LEVEL), values: [{ string: 'Secret' }] } }],
      members: { changeType: 'PATCH' },
    } as never);
    expect(answer).toEqual([422, expect.stringContaining('Secret is not one of Top secret, Open')]);
  });

  it.each<[string, JsonOutputObject, string]>([
    [
      'another type',
      { ...typed('number'), allowedValues: [] },
      '/valueType :: changes from urn:li:dataType:datahub.string',
    ],
    [
      'fewer allowed values',
      { ...typed('string'), allowedValues: [{ value: { string: 'Open' } }] },
      '/allowedValues :: no longer has "Top secret"',
    ],
    ['fewer entity types', { ...typed('string'), entityTypes: [] }, '/entityTypes :: no longer has dataset'],
    [
      'another name',
      { ...typed('string'), qualifiedName: 'other' },
      `/qualifiedName :: may not change; it is ${LEVEL}`,
    ],
  ])(
    'rejects a definition with %s, and takes it with a higher version unless it is a name',
    async (change, more, reason) => {
      const answer = await answerTo(define(LEVEL, more));
      expect(answer).toEqual([422, expect.stringContaining(`ERROR :: ${reason}`)]);
      if (change !== 'fewer allowed values') return;
      expect(await answerTo(define(LEVEL, { ...more, version: '20260131000000' }))).toEqual([200, 'written']);
      // Values that were assigned before stay, until they change.
      const kept = { [LEVEL]: ['Top secret'], [DAYS]: [30, 7.5], [UNTIL]: ['2026-02-01'] };
      expect(await answerTo(assign(A, kept))).toEqual([200, 'written']);
      expect(await answerTo(assign(A, { ...kept, [UNTIL]: ['2026-01-31'] }))).toEqual([200, 'written']);
      await catalog.http.caughtUp();
    },
  );

  const search = async (more: JsonOutputObject): Promise<JsonObject> => {
    const body = stringifyJson({ entity: 'dataset', input: '*', start: 0, count: 10, ...more });
    const answer = await catalog.http.post('/entities?action=search', body);
    if (answer.status !== 200) throw new Error(answer.body);
    return at(answer.json, 'value') as JsonObject;
  };
  const field = (name: string): string => `structuredProperties.${name}`;

  it.each<[string, readonly string[]]>([
    [`${field(LEVEL)}:secret`, [A]],
    [`${field(LEVEL)}:"top secret"`, [A]],
    ['secret', [A]],
    [`${field(LEVEL)}:*`, [A, B]],
    [`${field(DAYS)}:30`, [A]],
    [`${field(DAYS)}:>100`, [B]],
    [`${field(DAYS)}:[7 TO 8]`, [A]],
    [`${field(UNTIL)}:[2026-01-01 TO 2026-01-31]`, [A]],
    [`${field(UNTIL)}:>2026-01-31`, []],
    [`${field(STEWARDS)}:ada`, [B]],
    [`${field(STEWARDS)}:corpuser`, []],
    [`${field('none')}:*`, []],
  ])('finds by the query %s', async (input, found) => {
    expect((await search({ input })).entities).toEqual(found);
  });

  it.each<[string, JsonOutputObject, readonly string[]]>([
    ['a text', { field: field(LEVEL), value: 'Top secret' }, [A]],
    ['a text in other letters', { field: field(LEVEL), value: 'top SECRET', condition: 'IEQUAL' }, [A]],
    ['a part', { field: `${field(LEVEL)}.keyword`, value: 'secr', condition: 'CONTAIN' }, [A]],
    ['a number', { field: field(DAYS), values: ['30.0', '1'], condition: 'IN' }, [A]],
    ['a size', { field: field(DAYS), value: '100', condition: 'GREATER_THAN' }, [B]],
    ['two sizes', { field: field(DAYS), values: ['7', '8'], condition: 'BETWEEN' }, [A]],
    ['a day', { field: field(UNTIL), value: '2026-02-01', condition: 'LESS_THAN' }, [A]],
    ['a urn', { field: field(STEWARDS), value: 'urn:li:corpuser:ada' }, [B]],
    ['any value', { field: field(UNTIL), condition: 'EXISTS' }, [A]],
    ['no value', { field: field(DAYS), condition: 'IS_NULL' }, [C]],
  ])('filters by %s', async (_, criterion, found) => {
    expect((await search({ filter: { or: [{ and: [criterion] }] } })).entities).toEqual(found);
  });

  it('orders by numbers and by texts, entities without a value last', async () => {
    expect((await search({ sort: { field: field(DAYS) } })).entities).toEqual([A, B, C]);
    expect((await search({ sort: { field: field(DAYS), order: 'DESCENDING' } })).entities).toEqual([B, A, C]);
    expect((await search({ sort: { field: field(LEVEL) } })).entities).toEqual([B, A, C]);
  });

  it('counts a facet, and says which property matched', async () => {
    const { metadata } = await search({ input: 'secret', facets: [field(LEVEL)] });
    expect(metadata).toMatchObject({
      aggregations: [{ name: field(LEVEL), displayName: LEVEL, aggregations: { 'Top secret': 1 } }],
      matches: [{ matchedFields: [{ name: field(LEVEL), value: 'Top secret' }] }],
    });
  });
}

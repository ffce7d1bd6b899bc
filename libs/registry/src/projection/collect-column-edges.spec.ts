import { join } from 'node:path';
import { MAX_EDGE_URN_LENGTH, type Edge } from '@stratalog/domain';
import { allSteps, parseInSteps, stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityRegistry } from '../model/entity-registry';
import { loadModel } from '../model/load-model';
import { modelOf, oneAspect } from '../testing/model-of';
import { collectColumnEdges } from './collect-column-edges';

const TABLE = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';
const OTHER = 'urn:li:dataset:(urn:li:dataPlatform:hive,raw,PROD)';
const JOB = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,prod),load)';
const CHART = 'urn:li:chart:(looker,sales)';
const column = (parent: string, name: string): string => `urn:li:schemaField:(${parent},${name})`;
const STAMP = { time: 1_000, actor: 'urn:li:corpuser:writer' };

let registry: EntityRegistry;
beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
});

function collect(aspectName: string, urn: string, value: JsonOutputObject): readonly Edge[] {
  const aspect = registry.aspect(aspectName);
  if (aspect === undefined) throw new Error(`The model has ${aspectName}`);
  const parsed = allSteps(parseInSteps(stringifyJson(value)));
  return allSteps(collectColumnEdges(aspect, parsed, { urn, timeMs: STAMP.time, actor: STAMP.actor }));
}
const ends = (edges: readonly Edge[]) => edges.map(({ source, destination }) => [source, destination]);
const lists = (upstreams: readonly string[], downstreams: readonly string[]) => ({
  upstreamType: 'FIELD_SET',
  downstreamType: 'FIELD_SET',
  upstreams,
  downstreams,
});

describe('collectColumnEdges', () => {
  test('makes edges of a column with a path of 20,000 characters like of any other', () => {
    const path = 'nested.'.repeat(2_900);
    const [a, x] = [column(TABLE, 'a'), column(OTHER, 'x')];
    const fineGrainedLineages = [lists([column(OTHER, path), x], [a]), lists([x], [column(TABLE, path)])];
    const edges = collect('upstreamLineage', TABLE, { upstreams: [], fineGrainedLineages });
    expect(ends(edges)).toEqual([
      [a, column(OTHER, path)],
      [a, x],
      [column(TABLE, path), x],
    ]);
  });

  test('keeps the edges of the other columns beside one that is too long for a graph', () => {
    const long = column(OTHER, 'n'.repeat(MAX_EDGE_URN_LENGTH));
    const [a, x] = [column(TABLE, 'a'), column(OTHER, 'x')];
    const fineGrainedLineages = [lists([long, x], [a])];
    const edges = collect('upstreamLineage', TABLE, { upstreams: [], fineGrainedLineages });
    expect(ends(edges)).toEqual([[a, x]]);
  });

  test('makes an edge from every downstream column to every upstream one', () => {
    const [a, b, x, y] = [column(TABLE, 'a'), column(TABLE, 'b'), column(OTHER, 'x'), column(OTHER, 'y')];
    const fineGrainedLineages = [
      { ...lists([x, y], [a, b]), transformOperation: 'SUM', confidenceScore: 0.5, query: 'urn:li:query:q' },
    ];
    const edges = collect('upstreamLineage', TABLE, { upstreams: [], fineGrainedLineages });
    expect(ends(edges)).toEqual([
      [a, x],
      [a, y],
      [b, x],
      [b, y],
    ]);
    expect(edges[0]).toEqual({
      source: a,
      relationship: 'DownstreamOf',
      destination: x,
      isLineage: true,
      isUpstream: true,
      created: STAMP,
      updated: STAMP,
      properties: { transformOperation: 'SUM', confidenceScore: '0.5' },
      via: 'urn:li:query:q',
    });
  });

  test('puts the data job on the way of each edge between its columns', () => {
    const value = {
      inputDatasets: [],
      outputDatasets: [],
      fineGrainedLineages: [
        { ...lists([column(OTHER, 'x')], [column(TABLE, 'a')]), query: 'urn:li:query:q' },
      ],
    };
    expect(collect('dataJobInputOutput', JOB, value)).toMatchObject([
      { source: column(TABLE, 'a'), via: JOB },
    ]);
  });

  test('counts the elements behind one that lacks a list', () => {
    const [a, x] = [column(TABLE, 'a'), column(OTHER, 'x')];
    const fineGrainedLineages = [
      { upstreamType: 'NONE', downstreamType: 'FIELD', downstreams: [a] },
      { upstreamType: 'FIELD_SET', downstreamType: 'FIELD', upstreams: [x] },
      lists([x, 'no urn'], ['no urn', a, TABLE, OTHER]),
      lists([OTHER], [a]),
      lists([x], [a]),
    ];
    expect(ends(collect('upstreamLineage', TABLE, { upstreams: [], fineGrainedLineages }))).toEqual([
      [a, OTHER],
      [a, x],
    ]);
    expect(collect('upstreamLineage', TABLE, { upstreams: [] })).toEqual([]);
  });

  test('makes an edge from each input field of a chart to the column', () => {
    const schemaField = (fieldPath: string) => ({
      fieldPath,
      nativeDataType: 'text',
      type: { type: { 'com.linkedin.schema.StringType': {} } },
    });
    const fields = [
      { schemaFieldUrn: column(TABLE, 'a'), schemaField: schemaField('Sales (net), EUR') },
      { schemaFieldUrn: column(TABLE, 'b') },
      { schemaFieldUrn: 'no urn', schemaField: schemaField('c') },
    ];
    expect(ends(collect('inputFields', CHART, { fields }))).toEqual([
      [column(CHART, 'Sales %28net%29%2C EUR'), column(TABLE, 'a')],
    ]);
  });

  test('limits the number of edges of long lists, and the length of a step', () => {
    const names = Array.from({ length: 400 }, (_, at) => String(at));
    const element = lists(
      names.map((name) => column(OTHER, name)),
      names.map((name) => column(TABLE, name)),
    );
    const aspect = registry.aspect('upstreamLineage');
    const parsed = allSteps(parseInSteps(stringifyJson({ upstreams: [], fineGrainedLineages: [element] })));
    const context = { urn: TABLE, timeMs: 1, actor: STAMP.actor };
    const steps = collectColumnEdges(aspect ?? { columnLinks: [] }, parsed, context);
    let count = 0;
    let next = steps.next();
    for (; next.done !== true; next = steps.next()) count++;
    expect(next.value).toHaveLength(100_000);
    expect(count).toBeGreaterThan(1_000);
  });

  test('links nothing by a list of another type in a model of our own', async () => {
    const own = await modelOf([
      oneAspect('links: array[record FineGrainedLineage { upstreams: array[string] }] names: array[string]'),
    ]);
    expect(own.aspect('thingInfo')?.columnLinks).toEqual([]);
  });
});

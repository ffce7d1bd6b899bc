import fc from 'fast-check';
import type { Operation } from './operation';
import { anyUrn, chart, dataset, timestampMs, number, prefix, tag } from './random-values';

const entity: fc.Arbitrary<Operation> = fc
  .oneof(
    anyUrn.map((urn) => `/entitiesV2/${encodeURIComponent(urn)}`),
    fc
      .tuple(dataset, fc.subarray(['datasetProperties', 'ownership', 'noSuchAspect']))
      .map(([urn, names]) => `/entitiesV2/${encodeURIComponent(urn)}?aspects=List(${names.join(',')})`),
    fc
      .tuple(
        dataset,
        fc.constantFrom('datasetProperties', 'datasetKey', 'status', 'nonsense'),
        fc.integer({ min: -1, max: 4 }),
      )
      .map(
        ([urn, aspect, version]) =>
          `/aspects/${encodeURIComponent(urn)}?aspect=${aspect}&version=${String(version)}`,
      ),
    fc.constantFrom(
      '/models/entities',
      '/models/entities/dataset',
      '/models/aspects/ownership',
      '/models/aspects/x',
      '/nowhere',
    ),
  )
  .map((target) => ({ method: 'GET', target }));

const timeseriesValues: fc.Arbitrary<Operation> = fc
  .record({
    prefix,
    urn: fc.oneof({ weight: 8, arbitrary: dataset }, { weight: 1, arbitrary: anyUrn }),
    aspect: fc.constantFrom('datasetProfile', 'datasetProfile', 'datasetProfile', 'status', 'none'),
    startTimeMillis: fc.option(timestampMs, { nil: undefined }),
    endTimeMillis: fc.option(timestampMs, { nil: undefined }),
    limit: fc.constantFrom(undefined, 1, 3, 10_001),
    filter: fc.option(
      number.map((n) => ({ or: [{ and: [{ field: 'rowCount', value: String(n) }] }] })),
      { nil: undefined },
    ),
  })
  .map(({ prefix: before, ...parameters }) => ({
    method: 'POST',
    target: `${before}/aspects?action=getTimeseriesAspectValues`,
    body: JSON.stringify({ entity: 'dataset', ...parameters }),
  }));

const statistics: fc.Arbitrary<Operation> = fc
  .record({
    unit: fc.constantFrom('SECOND', 'DAY', 'MONTH', 'AGE'),
    metric: fc.constantFrom('urn', 'timestampMillis', 'partitionSpec.partition', 'rowCount'),
    aggregationType: fc.constantFrom('LATEST', 'CARDINALITY', 'SUM'),
    urns: fc.option(fc.array(dataset, { minLength: 1, maxLength: 3 }), { nil: undefined }),
  })
  .map(({ unit, metric, aggregationType, urns }) => ({
    method: 'POST',
    target: '/analytics?action=getTimeseriesStats',
    body: JSON.stringify({
      entityName: 'dataset',
      aspectName: 'datasetProfile',
      metrics: [{ fieldPath: metric, aggregationType }],
      filter: urns && { or: [{ and: [{ field: 'urn', values: urns }] }] },
      buckets: [{ type: 'DATE_GROUPING_BUCKET', key: 'timestampMillis', timeWindowSize: { unit } }],
    }),
  }));

const versioned = fc.oneof(
  dataset.map((urn) => ({ urn, aspect: 'datasetProperties' })),
  dataset.map((urn) => ({ urn, aspect: 'globalTags' })),
  dataset.map((urn) => ({ urn, aspect: 'datasetProfile' })),
  tag.map((urn) => ({ urn, aspect: 'tagProperties' })),
  chart.map((urn) => ({ urn, aspect: 'status' })),
);
/** Before and after every write: times in between differ in each catalog. */
const time = fc.constantFrom(0, 1, 4_000_000_000_000, -1);

/** The past: ranges of versions, the timeline, entities at a time. */
const history: fc.Arbitrary<Operation> = fc
  .record({
    prefix,
    of: versioned,
    kind: fc.constantFrom('range', 'range', 'timeline', 'timeline', 'entity', 'aspect'),
    start: fc.constantFrom(undefined, undefined, 1, 2),
    end: fc.constantFrom(undefined, undefined, 0, 1, 3),
    count: fc.constantFrom(undefined, undefined, 1, 2, 5, 0),
    order: fc.constantFrom(undefined, undefined, 'ascending', 'descending', 'descending', 'sideways'),
    time,
  })
  .map((drawn) => {
    const urn = encodeURIComponent(drawn.of.urn);
    const { kind, of, start, end, count, order } = drawn;
    const paths = {
      range: `aspects/${urn}?${toQuery({ aspect: of.aspect, startVersion: start ?? 1, endVersion: end, count, order })}`,
      timeline: `entitiesV2/${urn}/timeline?${toQuery(start === 1 ? { aspects: `List(${of.aspect})`, count } : {})}`,
      entity: `entitiesV2/${urn}?${toQuery({ asOf: drawn.time })}`,
      aspect: `aspects/${urn}?${toQuery({ aspect: of.aspect, asOf: drawn.time })}`,
    };
    return { method: 'GET', target: `${drawn.prefix}/${paths[kind]}` };
  });

function toQuery(parameters: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${String(value)}`]))
    .join('&');
}

/** Short queries of the store. */
const storeQuery: fc.Arbitrary<Operation> = fc
  .record({
    urn: anyUrn,
    action: fc.constantFrom('exists', 'applyRetention', 'getCount', 'listUrns'),
    includeSoftDelete: fc.boolean(),
    start: number,
  })
  .map(({ urn, action, includeSoftDelete, start }) => {
    switch (action) {
      case 'exists':
        return post('entities', action, { urn, includeSoftDelete });
      case 'applyRetention':
        return post('entities', action, { urn, start, attemptWithVersion: start });
      case 'listUrns':
        return post('entities', action, { entity: urn.split(':')[2], start, count: 5 });
      case 'getCount':
        return post('aspects', action, { aspect: 'tagProperties', urnLike: `${urn.slice(0, 14)}%` });
      default:
        return action satisfies never;
    }
  });

function post(resource: string, action: string, body: object): Operation {
  return { method: 'POST', target: `/${resource}?action=${action}`, body: JSON.stringify(body) };
}

const malformed: fc.Arbitrary<Operation> = fc.constantFrom(
  { method: 'POST', target: '/aspects?action=ingestProposal', body: '{' },
  { method: 'POST', target: '/aspects?action=ingestProposal', body: '{"proposal":{}}' },
  { method: 'POST', target: '/aspects?action=noSuchAction', body: '{}' },
  { method: 'POST', target: '/entities?action=search', body: '{"entity":"dataset"}' },
  { method: 'GET', target: '/aspects/urn%3Ali%3Atag%3Aa' },
);

/** Requests that change nothing. */
export const anyRead: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: entity },
  { weight: 3, arbitrary: history },
  { weight: 2, arbitrary: timeseriesValues },
  { weight: 1, arbitrary: statistics },
  { weight: 1, arbitrary: storeQuery },
  { weight: 1, arbitrary: malformed },
);

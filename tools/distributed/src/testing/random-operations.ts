import fc from 'fast-check';

/** One request, as both catalogs get it. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly target: string;
  readonly body?: string;
}

/** Some requests that write and read, then some that search, and follow relationships of, what is there by then. */
export interface Phase {
  readonly changes: readonly Operation[];
  readonly searches: readonly Operation[];
}

export const CHANGES = 20;
export const SEARCHES = 10;

const WORDS = [
  'orders',
  'customers',
  'daily',
  'raw',
  'Revenue',
  'größe',
  'id_42',
  'payments.v2',
  'OrderLines',
];
const INT64 = '9223372036854775807';

const word = fc.constantFrom(...WORDS);
const words = fc.array(word, { minLength: 1, maxLength: 5 }).map((all) => all.join(' '));
const number = fc.integer({ min: 0, max: 7 });
const prefix = fc.constantFrom('', '', '/gms', '/api/gms');

interface Write {
  readonly urn: string;
  readonly aspect: string;
  readonly value: string;
}

const dataset = fc
  .tuple(fc.constantFrom('hive', 'postgres'), word, number)
  .map(
    ([platform, name, n]) => `urn:li:dataset:(urn:li:dataPlatform:${platform},shop.${name}${String(n)},PROD)`,
  );
const tag = fc.tuple(word, number).map(([name, n]) => `urn:li:tag:${encodeURIComponent(name)}${String(n)}`);
const user = number.map((n) => `urn:li:corpuser:user${String(n)}`);
const chart = number.map((n) => `urn:li:chart:(looker,board.${String(n)})`);
const flow = number.map((n) => `urn:li:dataFlow:(airflow,nightly${String(n)},prod)`);
const job = fc.tuple(flow, word).map(([inside, name]) => `urn:li:dataJob:(${inside},${name})`);
const term = fc.tuple(word, number).map(([name, n]) => `urn:li:glossaryTerm:${name}${String(n)}`);

const stamp = { time: 1_700_000_000_000, actor: 'urn:li:corpuser:ada' };

function writes(urn: fc.Arbitrary<string>, aspect: string, value: fc.Arbitrary<object>): fc.Arbitrary<Write> {
  return fc
    .record({ urn, value })
    .map((drawn) => ({ urn: drawn.urn, aspect, value: JSON.stringify(drawn.value) }));
}

const moment = number.map((n) => 1_700_000_000_000 + n * 1_000_000_000);

/** Values that fit. */
const good: readonly fc.Arbitrary<Write>[] = [
  writes(
    dataset,
    'datasetProperties',
    fc.record({ description: words, customProperties: fc.dictionary(word, words) }),
  ),
  writes(
    dataset,
    'globalTags',
    fc.record({
      tags: fc.array(
        tag.map((each) => ({ tag: each })),
        { maxLength: 3 },
      ),
    }),
  ),
  writes(
    dataset,
    'ownership',
    fc.record({
      owners: fc.array(fc.record({ owner: user, type: fc.constantFrom('DATAOWNER', 'TECHNICAL_OWNER') }), {
        maxLength: 2,
      }),
      lastModified: fc.constant(stamp),
    }),
  ),
  writes(fc.oneof(dataset, chart, job), 'status', fc.record({ removed: fc.boolean() })),
  writes(tag, 'tagProperties', fc.record({ name: word, description: words })),
  writes(
    user,
    'corpUserInfo',
    fc.record({ active: fc.boolean(), displayName: words, email: word.map((name) => `${name}@example.com`) }),
  ),
  writes(
    chart,
    'chartInfo',
    fc.record({
      title: words,
      description: words,
      lastModified: fc.constant({ created: stamp, lastModified: stamp }),
    }),
  ),
  writes(flow, 'dataFlowInfo', fc.record({ name: words })),
  writes(job, 'dataJobInfo', fc.record({ name: words, type: fc.constant({ string: 'SQL' }) })),
  writes(
    job,
    'dataJobInputOutput',
    fc.record({
      inputDatasets: fc.array(dataset, { maxLength: 3 }),
      outputDatasets: fc.array(dataset, { maxLength: 2 }),
    }),
  ),
  writes(term, 'glossaryTermInfo', fc.record({ definition: words, termSource: fc.constant('INTERNAL') })),
  writes(
    dataset,
    'datasetProfile',
    fc.record({ timestampMillis: moment, rowCount: number, messageId: fc.option(word) }),
  ),
];

/** Values that no catalog takes. */
const bad: readonly fc.Arbitrary<Write>[] = [
  writes(dataset, 'noSuchAspect', fc.constant({})),
  writes(dataset, 'datasetProperties', fc.constant({ description: 7 })),
  writes(dataset, 'ownership', fc.constant({})),
  writes(tag, 'datasetProperties', fc.constant({})),
  writes(
    fc.constantFrom('urn:li:dataset:x', 'urn:li:dataset:(a,b)', 'nonsense', ''),
    'status',
    fc.constant({}),
  ),
  writes(fc.constant('urn:li:noSuchType:a'), 'status', fc.constant({ removed: false })),
  dataset.map((urn) => ({ urn, aspect: 'status', value: '{"removed":' })),
  dataset.map((urn) => ({ urn, aspect: 'datasetProfile', value: '{}' })),
  dataset.map((urn) => ({ urn, aspect: 'datasetProperties', value: `{"lastModified":{"time":${INT64}0}}` })),
];

const members = fc.record(
  {
    changeType: fc.constantFrom('UPSERT', 'UPSERT', 'UPSERT', 'UPSERT', 'UPSERT', 'NONSENSE'),
    systemMetadata: fc.record({ lastObserved: fc.integer({ min: 1, max: 1e12 }), runId: word }),
  },
  { requiredKeys: ['changeType', 'systemMetadata'] },
);

const write: fc.Arbitrary<Operation> = fc
  .record({
    prefix,
    write: fc.oneof({ weight: 5, arbitrary: fc.oneof(...good) }, { weight: 1, arbitrary: fc.oneof(...bad) }),
    members,
  })
  .map((drawn) => ({
    method: 'POST',
    target: `${drawn.prefix}/aspects?action=ingestProposal`,
    body: JSON.stringify({
      proposal: {
        entityType: drawn.write.urn.split(':')[2] ?? '',
        entityUrn: drawn.write.urn,
        aspectName: drawn.write.aspect,
        aspect: { value: drawn.write.value, contentType: 'application/json' },
        ...drawn.members,
      },
    }),
  }));

/** Some have an aspect that does not fit, and some are two. */
const snapshot: fc.Arbitrary<Operation> = fc
  .record({
    prefix,
    urn: tag,
    name: fc.oneof(word, word, word, number),
    removed: fc.boolean(),
    isBatch: fc.boolean(),
  })
  .map((drawn) => {
    const aspects = [{ TagProperties: { name: drawn.name } }, { Status: { removed: drawn.removed } }];
    const observed = { lastObserved: 1_700_000_000_000, runId: drawn.urn };
    const entity = { value: { TagSnapshot: { urn: drawn.urn, aspects } } };
    return {
      method: 'POST',
      target: `${drawn.prefix}/entities?action=${drawn.isBatch ? 'batchIngest' : 'ingest'}`,
      body: JSON.stringify(
        drawn.isBatch
          ? { entities: [entity, entity], systemMetadata: [observed, observed] }
          : { entity, systemMetadata: observed },
      ),
    };
  });

const anyUrn = fc.oneof(
  dataset,
  tag,
  user,
  chart,
  job,
  term,
  fc.constantFrom('urn:li:dataset:x', 'urn:li:noSuchType:a'),
);

const read: fc.Arbitrary<Operation> = fc
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

const points: fc.Arbitrary<Operation> = fc
  .record({
    prefix,
    urn: anyUrn,
    aspect: fc.constantFrom('datasetProfile', 'datasetProfile', 'datasetProfile', 'status', 'none'),
    startTimeMillis: fc.option(moment, { nil: undefined }),
    endTimeMillis: fc.option(moment, { nil: undefined }),
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

const malformed: fc.Arbitrary<Operation> = fc.constantFrom(
  { method: 'POST', target: '/aspects?action=ingestProposal', body: '{' },
  { method: 'POST', target: '/aspects?action=ingestProposal', body: '{"proposal":{}}' },
  { method: 'POST', target: '/aspects?action=noSuchAction', body: '{}' },
  { method: 'POST', target: '/entities?action=search', body: '{"entity":"dataset"}' },
  { method: 'GET', target: '/aspects/urn%3Ali%3Atag%3Aa' },
);

const input = fc.oneof(
  word,
  words,
  fc.constant('*'),
  words.map((text) => `"${text}"`),
  word.map((text) => `${text.slice(0, 3)}*`),
  fc.tuple(word, word).map(([a, b]) => `${a} OR ${b}`),
  fc.tuple(word, word).map(([a, b]) => `${a} AND NOT ${b}`),
  word.map((text) => `description:${text}`),
  number.map((n) => `user${String(n)}`),
);

const search: fc.Arbitrary<Operation> = fc
  .record({
    prefix,
    action: fc.constantFrom('search', 'search', 'search', 'noSuchAction'),
    input,
    entity: fc.constantFrom(
      'dataset',
      'dataset',
      'dataset',
      'tag',
      'corpuser',
      'chart',
      'dataJob',
      'glossaryTerm',
      'nonsense',
    ),
    start: fc.constantFrom(0, 0, 0, 3, -1),
    count: fc.constantFrom(10, 10, 50, 0, 1),
  })
  .map(({ prefix: before, action, ...body }) => ({
    method: 'POST',
    target: `${before}/entities?action=${action}`,
    body: JSON.stringify(body),
  }));

/** Criteria of every condition, about fields that most of the searched types have, some that cannot be asked for. */
const criterion = fc.oneof(
  fc
    .constantFrom('hive', 'postgres')
    .map((name) => ({ field: 'platform', value: `urn:li:dataPlatform:${name}` })),
  fc.record({
    field: fc.constantFrom('tags', 'owners', 'removed'),
    condition: fc.constantFrom('EXISTS', 'IS_NULL'),
  }),
  fc.array(tag, { minLength: 1, maxLength: 3 }).map((values) => ({ field: 'tags', condition: 'IN', values })),
  fc.record({
    field: fc.constantFrom('urn', 'description', 'id', 'name', 'customProperties', 'origin'),
    condition: fc.constantFrom(
      'CONTAIN',
      'START_WITH',
      'END_WITH',
      'EQUAL',
      'IEQUAL',
      'GREATER_THAN',
      'LIKE',
    ),
    value: fc.oneof(word, words, fc.constantFrom('PROD', '', 'a', '%', '.*')),
    negated: fc.boolean(),
  }),
  fc.boolean().map((removed) => ({ field: 'removed', value: String(removed) })),
  moment.map((time) => ({ field: 'lastOperationTime', condition: 'LESS_THAN', value: String(time) })),
);
const filter = fc
  .array(fc.record({ and: fc.array(criterion, { minLength: 1, maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 2,
  })
  .map((or) => ({ or }));
const sort = fc.record({
  field: fc.constantFrom('urn', 'description', 'origin', 'nothing', 'removed'),
  order: fc.constantFrom('ASCENDING', 'DESCENDING'),
});

const filtered: fc.Arbitrary<Operation> = fc
  .record({
    prefix,
    action: fc.constantFrom('filter', 'list', 'search', 'scrollAcrossEntities'),
    entity: fc.constantFrom('dataset', 'dataset', 'dataset', 'tag', 'chart', 'corpuser'),
    input: fc.oneof(fc.constant('*'), word),
    filter: fc.option(filter, { nil: undefined, freq: 4 }),
    sort: fc.option(sort, { nil: undefined }),
    start: fc.constantFrom(0, 0, 2),
    count: fc.constantFrom(50, 50, 2),
  })
  .map(({ prefix: before, action, ...body }) => ({
    method: 'POST',
    target: `${before}/entities?action=${action}`,
    body: JSON.stringify({ ...body, entities: [body.entity] }),
  }));

const TYPES: readonly string[] = ['OwnedBy', 'TaggedWith', 'Consumes', 'Produces', 'IsPartOf', 'NoSuch'];
const notation = fc.constantFrom(
  (names: readonly string[]) => `types=List(${names.join(',')})`,
  (names: readonly string[]) => names.map((name) => `types=${name}`).join('&'),
  (names: readonly string[]) => `types=${names.join(',')}`,
);

const related: fc.Arbitrary<Operation> = fc
  .record({
    prefix,
    urn: fc.oneof(flow, flow, user, user, job, anyUrn),
    direction: fc.constantFrom('INCOMING', 'OUTGOING', 'UNDIRECTED', 'UNDIRECTED', 'UNDIRECTED', 'SIDEWAYS'),
    types: fc.tuple(notation, fc.oneof(fc.constant(TYPES), fc.subarray([...TYPES]))),
    page: fc.constantFrom('', '', '&start=1&count=2', '&count=0', '&start=-1'),
    isRemoval: fc.nat(19).map((n) => n === 0),
  })
  .map((drawn): Operation => {
    const at = `${drawn.prefix}/relationships?urn=${encodeURIComponent(drawn.urn)}`;
    if (drawn.isRemoval) return { method: 'DELETE', target: at };
    const [write, names] = drawn.types;
    return { method: 'GET', target: `${at}&direction=${drawn.direction}&${write(names)}${drawn.page}` };
  });

/** Deletions of entities and of references to them. */
const erase: fc.Arbitrary<Operation> = fc
  .record({
    prefix,
    action: fc.constantFrom('delete', 'deleteReferences'),
    urn: anyUrn,
    more: fc.constantFrom({}, {}, {}, { dryRun: true }, { dryRun: 7, aspectName: 'status' }),
  })
  .map(({ prefix: before, action, urn, more }) => ({
    method: 'POST',
    target: `${before}/entities?action=${action}`,
    body: JSON.stringify({ urn, ...more }),
  }));

/** What runs have written, and taking it back. */
const run: fc.Arbitrary<Operation> = fc
  .record({
    prefix,
    runId: word,
    asked: fc.oneof(
      fc.record({ action: fc.constant('list'), more: fc.record({ includeSoft: fc.boolean() }) }),
      fc.record({
        action: fc.constant('describe'),
        more: fc.record({
          start: fc.constant(0),
          count: fc.constantFrom(0, 1_000),
          includeSoft: fc.boolean(),
          includeAspect: fc.boolean(),
        }),
      }),
      fc.record({
        action: fc.constant('rollback'),
        more: fc.record({ dryRun: fc.option(fc.boolean()), safe: fc.option(fc.boolean()) }),
      }),
    ),
  })
  .map(({ prefix: before, runId, asked: { action, more } }) => ({
    method: 'POST',
    target: `${before}/runs?action=${action}`,
    body: JSON.stringify({ runId, ...more }),
  }));

const change = fc.oneof(
  { weight: 6, arbitrary: write },
  { weight: 1, arbitrary: snapshot },
  { weight: 4, arbitrary: read },
  { weight: 1, arbitrary: erase },
  { weight: 1, arbitrary: run },
  { weight: 2, arbitrary: points },
  { weight: 1, arbitrary: malformed },
);

/** The same for the same seed. */
export function randomPhases(seed: number, count: number): readonly Phase[] {
  const phase = fc.record({
    changes: fc.array(change, { minLength: CHANGES, maxLength: CHANGES }),
    searches: fc.array(
      fc.oneof(
        { weight: 2, arbitrary: search },
        { weight: 2, arbitrary: filtered },
        { weight: 1, arbitrary: related },
      ),
      {
        minLength: SEARCHES,
        maxLength: SEARCHES,
      },
    ),
  });
  return fc.sample(phase, { seed, numRuns: count });
}

import fc from 'fast-check';
import type { Operation } from './operation';
import { bad, good, type Write } from './random-aspects';
import { anyUrn, dataset, timestampMs, number, prefix, tag, user, word, words } from './random-values';

const NAMED_TYPES = ['UPSERT', 'CREATE', 'CREATE_ENTITY', 'UPDATE', 'RESTATE', 'DELETE'] as const;

const members = fc.record(
  {
    changeType: fc.constantFrom('UPSERT', 'UPSERT', 'UPSERT', 'UPSERT', 'UPSERT', 'NONSENSE'),
    systemMetadata: fc.record({ lastObserved: fc.integer({ min: 1, max: 1e12 }), runId: word }),
  },
  { requiredKeys: ['changeType', 'systemMetadata'] },
);

function toProposal({ urn, aspect, value }: Write, more: object): object {
  return {
    entityType: urn.split(':')[2] ?? '',
    entityUrn: urn,
    aspectName: aspect,
    aspect: { value, contentType: 'application/json' },
    ...more,
  };
}

function proposing(before: string, proposal: object): Operation {
  return {
    method: 'POST',
    target: `${before}/aspects?action=ingestProposal`,
    body: JSON.stringify({ proposal }),
  };
}

const anyWrite = fc.oneof(
  { weight: 5, arbitrary: fc.oneof(...good) },
  { weight: 1, arbitrary: fc.oneof(...bad) },
);

const write = fc
  .record({ prefix, write: anyWrite, members })
  .map((drawn) => proposing(drawn.prefix, toProposal(drawn.write, drawn.members)));

const version = fc.integer({ min: -1, max: 5 });
const PAST = '2020-01-01T00:00:00Z';
const FUTURE = '2100-01-01T00:00:00+01:00';

/** Conditional writes; some conditions are malformed, some have no meaning in their place. */
const conditions: fc.Arbitrary<object> = fc.oneof(
  { weight: 4, arbitrary: version.map((n) => ({ 'If-Version-Match': String(n) })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      { 'if-modified-since': PAST },
      { 'If-Unmodified-Since': PAST },
      { 'If-Modified-Since': FUTURE, 'If-Version-Match': '1' },
      { 'If-Unmodified-Since': FUTURE },
    ),
  },
  { weight: 2, arbitrary: fc.constant({ 'If-None-Match': '*' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { 'If-Version-Match': 'x' },
      { 'If-Modified-Since': 'today' },
      { 'X-Other': '1' },
    ),
  },
);

const conditional = fc
  .record({
    prefix,
    write: fc.oneof(...good),
    members,
    changeType: fc.constantFrom(...NAMED_TYPES),
    headers: fc.option(conditions, { nil: undefined }),
  })
  .map((drawn) => {
    const { changeType, headers } = drawn;
    return proposing(drawn.prefix, toProposal(drawn.write, { ...drawn.members, changeType, headers }));
  });

/** Operations on the arrays and members of some aspects; some have a wrong path. */
const edits = fc.oneof(
  fc.tuple(dataset, tag, fc.constantFrom('add', 'remove', 'replace', 'test')).map(([urn, name, op]) => ({
    urn,
    aspect: 'globalTags',
    edit: { op, path: `/tags/${name.replaceAll('/', '~1')}`, value: { tag: name } },
  })),
  fc.tuple(dataset, user, fc.constantFrom('add', 'remove')).map(([urn, owner, op]) => ({
    urn,
    aspect: 'ownership',
    edit: { op, path: `/owners/${owner}/DATAOWNER`, value: { owner, type: 'DATAOWNER' } },
  })),
  fc
    .tuple(dataset, word, words, fc.constantFrom('add', 'remove', 'replace'))
    .map(([urn, name, text, op]) => ({
      urn,
      aspect: 'datasetProperties',
      edit: { op, path: `/customProperties/${name}`, value: text },
    })),
  fc.tuple(dataset, words).map(([urn, text]) => ({
    urn,
    aspect: 'datasetProperties',
    edit: { op: 'add', path: '/description', value: text },
  })),
  tag.map((urn) => ({ urn, aspect: 'tagProperties', edit: { op: 'add', path: '/name', value: 'x' } })),
  dataset.map((urn) => ({ urn, aspect: 'datasetProperties', edit: { op: 'nonsense', path: '/name' } })),
);

const patch = fc
  .record({ prefix, edits: fc.array(edits, { minLength: 1, maxLength: 3 }), members })
  .map((drawn) => {
    const [{ urn, aspect } = { urn: '', aspect: '' }] = drawn.edits;
    const own = drawn.edits.filter((each) => each.aspect === aspect).map(({ edit }) => edit);
    const value = JSON.stringify(own);
    const more = { ...drawn.members, changeType: 'PATCH' };
    return proposing(
      drawn.prefix,
      toProposal(
        { urn, aspect, value },
        { ...more, aspect: { value, contentType: 'application/json-patch+json' } },
      ),
    );
  });

/** Several proposals that are written together or not at all. */
const batch = fc
  .record({
    prefix,
    writes: fc.array(
      fc.record({
        write: fc.oneof(
          { weight: 12, arbitrary: fc.oneof(...good) },
          { weight: 1, arbitrary: fc.oneof(...bad) },
        ),
        members,
        headers: fc.oneof(
          { weight: 9, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: conditions },
        ),
        changeType: fc.constantFrom('UPSERT', 'UPSERT', 'UPSERT', ...NAMED_TYPES),
      }),
      { maxLength: 5 },
    ),
  })
  .map((drawn): Operation => {
    const proposals = drawn.writes.map(({ write: each, members: own, headers, changeType }) =>
      toProposal(each, { ...own, changeType, headers }),
    );
    return {
      method: 'POST',
      target: `${drawn.prefix}/aspects?action=ingestProposalBatch`,
      body: JSON.stringify({ proposals }),
    };
  });

/** Some snapshots have an invalid aspect, and some requests hold two. */
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

/** Deletions of entities and of references to them. */
const truncate: fc.Arbitrary<Operation> = fc
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

const bounds = fc.record({
  startTimeMillis: fc.option(timestampMs, { nil: undefined }),
  endTimeMillis: fc.option(timestampMs, { nil: undefined }),
});

/** Deletions of timeseries values, by the action and as proposals; some of aspects without any. */
const eraseTimeseriesValues = fc
  .record({
    prefix,
    urn: fc.oneof({ weight: 9, arbitrary: dataset }, { weight: 1, arbitrary: anyUrn }),
    aspect: fc.constantFrom('datasetProfile', 'datasetProfile', 'datasetProfile', 'operation', 'status'),
    bounds,
    isProposed: fc.boolean(),
  })
  .map((drawn): Operation => {
    const { startTimeMillis, endTimeMillis } = drawn.bounds;
    if (!drawn.isProposed) {
      return {
        method: 'POST',
        target: `${drawn.prefix}/entities?action=delete`,
        body: JSON.stringify({ urn: drawn.urn, aspectName: drawn.aspect, ...drawn.bounds }),
      };
    }
    const headers = {
      ...(startTimeMillis === undefined ? {} : { 'Start-Time-Millis': String(startTimeMillis) }),
      ...(endTimeMillis === undefined ? {} : { 'End-Time-Millis': String(endTimeMillis) }),
    };
    const systemMetadata = { lastObserved: 1_700_000_000_000 };
    const removal = { changeType: 'DELETE', aspect: undefined, headers, systemMetadata };
    return proposing(drawn.prefix, toProposal({ urn: drawn.urn, aspect: drawn.aspect, value: '' }, removal));
  });

/** Requests that change something, or are rejected. */
export const anyChange: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: write },
  { weight: 3, arbitrary: conditional },
  { weight: 3, arbitrary: patch },
  { weight: 3, arbitrary: batch },
  { weight: 1, arbitrary: snapshot },
  { weight: 1, arbitrary: truncate },
  { weight: 1, arbitrary: eraseTimeseriesValues },
);

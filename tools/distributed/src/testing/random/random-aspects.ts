import fc from 'fast-check';
import {
  INT64,
  chart,
  dataset,
  flow,
  job,
  timestampMs,
  number,
  stamp,
  tag,
  term,
  user,
  word,
  words,
} from './random-values';

/** An aspect of an entity, and its proposed value. */
export interface Write {
  readonly urn: string;
  readonly aspect: string;
  readonly value: string;
}

function writes(urn: fc.Arbitrary<string>, aspect: string, value: fc.Arbitrary<object>): fc.Arbitrary<Write> {
  return fc
    .record({ urn, value })
    .map((drawn) => ({ urn: drawn.urn, aspect, value: JSON.stringify(drawn.value) }));
}

/** Valid values. */
export const good: readonly fc.Arbitrary<Write>[] = [
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
    fc.record({ timestampMillis: timestampMs, rowCount: number, messageId: fc.option(word) }),
  ),
];

/** Values that every catalog rejects. */
export const bad: readonly fc.Arbitrary<Write>[] = [
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

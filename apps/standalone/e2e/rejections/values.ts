import { stringifyJson, type JsonOutput } from '@stratalog/json';
import { URN, members, urn, value, type RejectedCase } from './rejected-case';

const nested = (depth: number): JsonOutput => (depth === 0 ? {} : { a: nested(depth - 1) });

export const URNS: readonly RejectedCase[] = [
  ['that is none', members({ entityUrn: 'dataset' }), 422, 'Invalid urn dataset: must start with "urn:"'],
  ['without an id', urn('urn:li:dataset:'), 422, 'none of them empty'],
  ['of an unknown type', members({ entityUrn: 'urn:li:nonsense:x' }), 422, 'unknown entity type nonsense'],
  ['of another namespace', urn('urn:other:tag:x'), 422, 'must start with "urn:li:"'],
  ['with another case of its type', urn('urn:li:Tag:x'), 422, 'spelled tag, not Tag'],
  ['with a blank in front', members({ entityUrn: ` ${URN}` }), 422, 'leading or trailing whitespace'],
  ['of 513 bytes', urn(`urn:li:tag:${'x'.repeat(502)}`), 422, 'longer than 512 bytes (when URL encoded)'],
  ['of 513 encoded bytes', urn(`urn:li:tag:${'日'.repeat(56)}`), 422, 'longer than 512 bytes'],
  ['with U+241F', urn('urn:li:tag:a\u241fb'), 422, 'must not contain the character U+241F'],
  ['with a NUL', urn('urn:li:tag:a\u0000b'), 422, 'must not contain control characters'],
  ['with half a surrogate pair', urn('urn:li:tag:\\ud83d'), 422, 'unpaired surrogates'],
  ['with an open parenthesis', urn('urn:li:dataset:(a,b'), 422, 'has unbalanced parentheses'],
  [
    'with too few parts',
    urn('urn:li:dataset:(urn:li:dataPlatform:hive,x)'),
    422,
    'must be a tuple of 3 parts (platform,name,origin), but has 2 of them',
  ],
  ['with an empty part', urn('urn:li:dataset:(urn:li:dataPlatform:hive,,PROD)'), 422, 'has an empty part'],
  [
    'whose part is no urn',
    urn('urn:li:dataset:(hive,x,PROD)'),
    422,
    'its part platform must be a urn, not "hive"',
  ],
  [
    'whose part is no symbol',
    urn('urn:li:dataset:(urn:li:dataPlatform:hive,x,NOWHERE)'),
    422,
    'its part origin must be one of',
  ],
];

export const VALUES: readonly RejectedCase[] = [
  [
    'of an aspect that does not exist',
    value('noSuchAspect', {}),
    422,
    'Unknown aspect noSuchAspect for entity dataset',
  ],
  ['of an aspect of others', value('chartInfo', {}), 422, 'Unknown aspect chartInfo for entity dataset'],
  [
    'of a point without a moment',
    value('datasetProfile', { rowCount: 1 }),
    422,
    'Failed to validate record with class com.linkedin.dataset.DatasetProfile: ERROR :: /timestampMillis',
  ],
  ['that is no JSON', value('status', 'removed'), 422, 'Invalid format for aspect status'],
  ['that is a list', value('status', '[]'), 422, 'must be an object (com.linkedin.common.Status)'],
  [
    'with a member of the wrong type',
    value('status', { removed: 'yes' }),
    422,
    'Failed to validate record with class com.linkedin.common.Status: ERROR :: /removed :: must be a boolean, not "yes"',
  ],
  [
    'without a required member',
    value('ownership', { owners: [{ owner: 'urn:li:corpuser:x' }] }),
    422,
    'ERROR :: /owners/0/type :: is required',
  ],
  [
    'with an unknown symbol',
    value('ownership', { owners: [{ owner: 'urn:li:corpuser:x', type: 'BOSS' }] }),
    422,
    'ERROR :: /owners/0/type :: must be one of',
  ],
  [
    'with a urn of the wrong type',
    value('globalTags', { tags: [{ tag: 'urn:li:tag:a' }, { tag: 'urn:li:corpuser:b' }] }),
    422,
    'ERROR :: /tags/1/tag :: must be a urn of type tag, not "urn:li:corpuser:b"',
  ],
  [
    'with a map of other things',
    value('datasetProperties', { customProperties: { a: 1 } }),
    422,
    'ERROR :: /customProperties/a :: must be a string, not 1',
  ],
  [
    'with an unknown union member',
    value('schemaMetadata', {
      schemaName: 's',
      platform: 'urn:li:dataPlatform:hive',
      version: 0,
      hash: '',
      fields: [],
      platformSchema: { Nonsense: {} },
    }),
    422,
    'ERROR :: /platformSchema :: must be one of',
  ],
  [
    'with half a surrogate pair',
    value('datasetProperties', '{"description":"\\ud83d"}'),
    422,
    'ERROR :: /description :: must not contain unpaired surrogates',
  ],
  [
    'with an integer beyond 64 bits',
    value('datasetProperties', '{"created":{"time":9223372036854775808}}'),
    422,
    'ERROR :: /created/time :: must be a 64-bit integer, not 9223372036854775808',
  ],
  [
    'with a poisoned member',
    value('status', '{"__proto__":{"removed":true}}'),
    422,
    "'__proto__' is not allowed",
  ],
  ['of 201 levels', value('status', stringifyJson(nested(201))), 422, 'nested deeper than 200 levels'],
];

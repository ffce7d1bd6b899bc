import { post } from '../testing/catalog/wire-case';
import { INGEST, MAX_BODY_BYTES, URN, members, proposal, type RejectedCase } from './rejected-case';

export const BODIES: readonly RejectedCase[] = [
  ['no JSON', post(INGEST, 'proposal=x'), 400, 'Error parsing entity body'],
  ['half a JSON', post(INGEST, '{"proposal":{'), 400, 'Error parsing entity body'],
  ['a list', post(INGEST, '[]'), 400, 'Error parsing entity body: not a JSON object'],
  ['nothing', post(INGEST, ''), 400, "Parameter 'proposal' is required"],
  ['no proposal', post(INGEST, '{"proposal":null}'), 400, "Parameter 'proposal' is required"],
  ['a proposal that is a text', post(INGEST, '{"proposal":"x"}'), 400, '/proposal :: "x" is not an object'],
  [
    'more than 200 levels',
    post(INGEST, `{"a":${'['.repeat(300)}${']'.repeat(300)}}`),
    400,
    'nested deeper than 200 levels',
  ],
  [
    'more than the limit',
    proposal({ value: { description: 'x'.repeat(MAX_BODY_BYTES) } }),
    413,
    'The body of the request is larger than the limit',
  ],
];

export const MEMBERS: readonly RejectedCase[] = [
  ['no entityType', members({ entityType: undefined }), 400, '/proposal/entityType :: is required'],
  ['a number for entityType', members({ entityType: 7 }), 400, '/proposal/entityType :: is not a string'],
  [
    'an unknown entityType',
    members({ entityType: 'dashbord' }),
    400,
    'Failed to find entity with name dashbord in EntityRegistry',
  ],
  [
    'another entityType than its urn',
    members({ entityType: 'chart' }),
    422,
    'URN entity type does not match MCP entity type. dataset != chart',
  ],
  ['no entityUrn', members({ entityUrn: undefined }), 400, '/proposal/entityUrn :: is required'],
  ['an object for entityUrn', members({ entityUrn: {} }), 400, '/proposal/entityUrn :: is not a string'],
  ['no aspectName', members({ aspectName: null }), 400, '/proposal/aspectName :: is required'],
  ['no changeType', members({ changeType: undefined }), 400, '/proposal/changeType :: is required'],
  [
    'an unknown changeType',
    members({ changeType: 'UPSRT' }),
    400,
    '/proposal/changeType :: "UPSRT" is not one of UPSERT',
  ],
  ...(['CREATE', 'CREATE_ENTITY', 'UPDATE'] as const).map((changeType): RejectedCase => [
    `changeType ${changeType} without a value`,
    members({ changeType, aspect: undefined }),
    422,
    'Aspect datasetProperties has no value',
  ]),
  [
    'changeType RESTATE of what is not there',
    members({ changeType: 'RESTATE', aspect: undefined }),
    422,
    `Cannot RESTATE aspect datasetProperties of ${URN}: it is not there, and no value was sent`,
  ],
  ...(
    [
      ['If-Version-Match', 'one', '"one" is not a version: 1, 2, 3 and so on, or -1'],
      ['if-version-match', '0', '"0" is not a version'],
      ['If-Modified-Since', 'Sat, 21 Nov 2026 08:30:00 GMT', 'is not a time like 2026-11-21T08:30:00Z'],
      ['If-Unmodified-Since', '2026-13-41T00:00:00Z', 'is not a time like'],
      ['If-None-Match', '"abc"', 'is not *'],
      ['If-None-Match', '*', 'means nothing with UPSERT; use CREATE or CREATE_ENTITY'],
    ] as const
  ).map(([name, text, reason]): RejectedCase => [
    `the header ${name}: ${text}`,
    members({ headers: { [name]: text } }),
    400,
    reason,
  ]),
  ['a list for headers', members({ headers: [] }), 400, '/proposal/headers :: is not an object'],
  [
    'a number for a header',
    members({ headers: { 'If-Version-Match': 1 } }),
    400,
    '/proposal/headers/If-Version-Match :: is not a string',
  ],
  [
    'a header twice',
    members({ headers: { 'If-Version-Match': '1', 'if-version-match': '1' } }),
    400,
    '/proposal/headers/if-version-match :: is there twice',
  ],
  ['no aspect', members({ aspect: undefined }), 422, 'Aspect datasetProperties has no value'],
  ['a list for aspect', members({ aspect: [] }), 400, '/proposal/aspect :: is not an object'],
  ['no aspect.value', members({ aspect: {} }), 400, '/proposal/aspect/value :: is required'],
  [
    'an object for aspect.value',
    members({ aspect: { value: {} } }),
    400,
    '/proposal/aspect/value :: is not a string',
  ],
  [
    'another contentType',
    members({ aspect: { value: '{}', contentType: 'application/avro' } }),
    422,
    'proposal.aspect.contentType application/avro is not supported',
  ],
  [
    'a number for contentType',
    members({ aspect: { value: '{}', contentType: 1 } }),
    400,
    '/proposal/aspect/contentType :: is not a string',
  ],
  [
    'a list for systemMetadata',
    members({ systemMetadata: [] }),
    400,
    '/proposal/systemMetadata :: is not an object',
  ],
  [
    'text that is no JSON for systemMetadata',
    members({ systemMetadata: 'run' }),
    400,
    '/proposal/systemMetadata :: is neither an object nor the JSON text of one',
  ],
  [
    'a text for lastObserved',
    members({ systemMetadata: { lastObserved: 'today' } }),
    400,
    '/proposal/systemMetadata/lastObserved :: is not a time in epoch milliseconds',
  ],
  [
    'a number for runId',
    members({ systemMetadata: { runId: 1 } }),
    400,
    '/proposal/systemMetadata/runId :: is not a string',
  ],
  [
    'a list among properties',
    members({ systemMetadata: { properties: { a: [] } } }),
    400,
    '/proposal/systemMetadata/properties/a :: is not a string',
  ],
  [
    'another word for async',
    proposal({ parameters: { async: 'yes' } }),
    400,
    '/async :: "yes" is not true or false',
  ],
  [
    'a number for async',
    proposal({ parameters: { async: 1 } }),
    400,
    "Parameters of method 'ingestProposal' failed validation with error '/async :: 1 is not true or false'",
  ],
];

import type { ValueSchema } from '../parameters/value-schema';
import type { ParameterDocs } from './route-docs';

/** Parts of route documentation that several routes share. */

/**
 * The entity that examples write first, and then read. Examples use the namespace `li`; pages show the
 * catalog's own.
 */
export const EXAMPLE_URN = 'urn:li:dataset:(urn:li:dataPlatform:postgres,docs.example,PROD)';

export const URN_IN_PATH: ParameterDocs = {
  in: 'path',
  name: 'urn',
  description:
    'Urn of the entity. Percent-encode it: a `?`, and a `%` before two hex digits, must be encoded, the rest may be.',
  schema: { type: 'string' },
};

export const AUDIT_STAMP: ValueSchema = {
  type: 'object',
  properties: {
    time: { type: 'integer', format: 'int64', description: 'Epoch milliseconds.' },
    actor: { type: 'string', description: 'Urn of who did it.' },
  },
  required: ['time', 'actor'],
};

const SENT = {
  lastObserved: { type: 'integer', format: 'int64', description: 'Epoch milliseconds.' },
  runId: { type: 'string' },
  lastRunId: { type: 'string' },
  pipelineName: { type: 'string' },
  registryName: { type: 'string' },
  registryVersion: { type: 'string' },
  properties: { type: 'object', additionalProperties: { type: 'string' } },
} as const;

/** System metadata as a client writes it. */
export const SENT_SYSTEM_METADATA: ValueSchema = {
  type: 'object',
  description: 'When and by which run the value was observed.',
  properties: SENT,
};

/** System metadata as a client reads it. */
export const SYSTEM_METADATA: ValueSchema = {
  ...SENT_SYSTEM_METADATA,
  properties: { ...SENT, version: { type: 'string', description: 'Number of the latest version.' } },
};

export const PROTOCOL_VERSION: ParameterDocs = {
  in: 'header',
  name: 'X-RestLi-Protocol-Version',
  description:
    'With `2.0.0` each member of `entities` is an object with the urn, its matched fields and its score; otherwise it is a urn.',
  schema: { type: 'string', enum: ['1.0.0', '2.0.0'], default: '1.0.0' },
};

export const WAIT_FOR: ParameterDocs = {
  in: 'header',
  name: 'X-Stratalog-Wait-For',
  description: 'A position that the answer must include, from the `X-Stratalog-Position` of a write.',
  schema: { type: 'string' },
};

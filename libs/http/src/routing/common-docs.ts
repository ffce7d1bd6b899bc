import * as z from 'zod';
import { long } from '../parameters/parameter-types';
import { INT64 } from './answer-types';
import type { ParameterDocs } from './route-docs';

/** Parts of route documentation that several routes share. */

/**
 * The entity that examples write first, and then read. Examples use the namespace `li`; pages show the
 * catalog's own.
 */
export const EXAMPLE_URN = 'urn:li:dataset:(urn:li:dataPlatform:postgres,docs.example,PROD)';

export const urnInPath = z
  .string()
  .describe(
    'Urn of the entity. Percent-encode it: a `?`, and a `%` before two hex digits, must be encoded, the rest may be.',
  );

export const AUDIT_STAMP = z.object({
  time: INT64.describe('Epoch milliseconds.'),
  actor: z.string().describe('Urn of who did it.'),
});

const OBSERVATION = 'When and by which run the value was observed.';

/** System metadata as a client writes it. */
export const sentSystemMetadata = z
  .object({
    lastObserved: long().optional().describe('Epoch milliseconds.'),
    runId: z.string().optional(),
    lastRunId: z.string().optional(),
    pipelineName: z.string().optional(),
    registryName: z.string().optional(),
    registryVersion: z.string().optional(),
    properties: z.record(z.string(), z.string()).optional(),
  })
  .describe(OBSERVATION);

/** System metadata as a client reads it. */
export const SYSTEM_METADATA = sentSystemMetadata
  .extend({ version: z.string().optional().describe('Number of the latest version.') })
  .describe(OBSERVATION);

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

/** The same in an address, for people. */
export const WAIT: ParameterDocs = {
  in: 'query',
  name: 'wait',
  description: 'As `X-Stratalog-Wait-For`, which has precedence.',
  schema: { type: 'string' },
};

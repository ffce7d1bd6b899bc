import { defineRoute, integer, long, oneOf, text, time, type ValueSchema } from '@stratalog/http';
import { AUDIT_OUTCOMES } from '@stratalog/ports';
import * as z from 'zod';

/** The type of a list of JSON objects, one a line. */
export const JSON_LINES = 'application/x-ndjson';
const FORMATS = ['json', 'jsonl'] as const;

const RECORD: ValueSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 1 },
    timeMillis: { type: 'integer', description: 'Time of the answer, in epoch milliseconds.' },
    actor: { type: 'string', description: 'Urn of the caller.' },
    token: { type: 'string', description: 'Id of the token; `operator` for that of the operator.' },
    address: { type: 'string', description: 'Address that the call came from.' },
    call: { type: 'string', description: 'Method, path and action.' },
    parameters: {
      type: 'object',
      description: 'Parameters as sent, without secrets; large ones as `beginning` only.',
    },
    outcome: { type: 'string', enum: [...AUDIT_OUTCOMES] },
    status: { type: 'integer', description: 'Status of the answer.' },
    durationMillis: { type: 'integer', minimum: 0, description: 'Duration of the call.' },
    omitted: { type: 'integer', minimum: 1, description: 'Number of similar calls without a record.' },
  },
  required: ['id', 'timeMillis', 'actor', 'call', 'parameters', 'outcome', 'status', 'durationMillis'],
};

const outcome = oneOf(AUDIT_OUTCOMES, (sent) => ({
  message: `Parameter 'outcome' is ${JSON.stringify(sent)}, but must be one of ${AUDIT_OUTCOMES.join(', ')}`,
}));
const format = oneOf(FORMATS, (sent) => ({
  message: `Parameter 'format' is ${JSON.stringify(sent)}, but must be one of ${FORMATS.join(', ')}`,
}));

export const LIST_AUDIT = defineRoute({
  app: 'admin',
  access: 'administrative',
  effect: 'administers',
  path: 'operations/audit',
  otherType: JSON_LINES,
  parameters: z.object({
    actor: text(1_024).optional().describe('Only calls of this user: an urn.'),
    call: text(200).optional().describe('Only these calls: `POST /operations rebuildIndices`.'),
    address: text(100).optional().describe('Only calls from this address.'),
    outcome: outcome.optional().describe('Only calls that ended so.'),
    status: integer({ minimum: 100, maximum: 599 }).optional().describe('Only answers with this status.'),
    from: time().optional().describe('Only records of this time or later.'),
    to: time().optional().describe('Only records before this time.'),
    before: long({ minimum: 1 }).optional().describe('Only records with lower ids: the next page.'),
    count: integer({ minimum: 0, maximum: 1_000 })
      .optional()
      .describe('Number of records to list: 100 by default as JSON, and without a limit as JSON lines.'),
    format: format
      .optional()
      .describe(`\`jsonl\` for JSON lines, as \`Accept: ${JSON_LINES}\` asks for, too.`),
  }),
  docs: {
    group: 'Operations',
    summary: 'List the calls of operators',
    description:
      'Lists the newest first: administrative calls, deletions, rollbacks, removals of references, applications of retention, and calls that were rejected with 401, 403 or 429. As JSON lines all of them are streamed, a record on each line. Records are kept for `STRATALOG_AUDIT_KEEP_DAYS`.',
    answer: {
      description: 'The recorded calls.',
      contentTypes: ['application/json', JSON_LINES],
      schema: {
        type: 'object',
        properties: { records: { type: 'array', items: RECORD } },
        required: ['records'],
      },
    },
    examples: [
      { title: 'The last calls', parameters: { count: '10' } },
      { title: 'Rejected calls', parameters: { outcome: 'rejected', status: '401' } },
    ],
  },
});

import { JSON_OBJECT, defineRoute, integer, long, oneOf, text, time } from '@stratalog/http';
import { AUDIT_OUTCOMES } from '@stratalog/ports';
import * as z from 'zod';

/** The type of a list of JSON objects, one a line. */
export const JSON_LINES = 'application/x-ndjson';
const FORMATS = ['json', 'jsonl'] as const;

const RECORD = z.object({
  id: z.int().min(1),
  timeMillis: z.int().describe('Time of the answer, in epoch milliseconds.'),
  actor: z.string().describe('Urn of the caller.'),
  token: z.string().optional().describe('Id of the token; `operator` for that of the operator.'),
  address: z.string().optional().describe('Address that the call came from.'),
  call: z.string().describe('Method, path and action.'),
  parameters: JSON_OBJECT.describe('Parameters as sent, without secrets; large ones as `beginning` only.'),
  outcome: z.enum(AUDIT_OUTCOMES),
  status: z.int().describe('Status of the answer.'),
  durationMillis: z.int().min(0).describe('Duration of the call.'),
  omitted: z.int().min(1).optional().describe('Number of similar calls without a record.'),
});

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
      schema: z.object({ records: z.array(RECORD) }),
    },
    examples: [
      { title: 'The last calls', parameters: { count: '10' } },
      { title: 'Rejected calls', parameters: { outcome: 'rejected', status: '401' } },
    ],
  },
});

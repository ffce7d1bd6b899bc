import { defineRoute, flag, integer, text, type ValueSchema } from '@stratalog/http';
import * as z from 'zod';

const MILLIS: ValueSchema = { type: 'integer', description: 'Epoch milliseconds.' };
const COUNT: ValueSchema = { type: 'integer', minimum: 0 };

const PROPOSAL: ValueSchema = {
  type: 'object',
  properties: {
    entityType: { type: 'string' },
    urn: { type: 'string' },
    aspectName: { type: 'string' },
    changeType: { type: 'string' },
    value: { type: 'string', description: 'The first 1,000 characters of the value.' },
  },
  required: ['entityType', 'urn', 'aspectName', 'changeType'],
};

const DEAD_LETTER: ValueSchema = {
  type: 'object',
  properties: {
    topic: { type: 'string', description: "The topic; absent for the catalog's own log." },
    partition: COUNT,
    offset: COUNT,
    rejectedMillis: MILLIS,
    reason: { type: 'string', description: 'Why the writer rejected it.' },
    waits: {
      type: 'boolean',
      description: 'True: the first start with a model that knows its aspect applies it.',
    },
    replayedMillis: { ...MILLIS, description: 'When it went into the log again.' },
    bytes: { ...COUNT, description: 'Its length.' },
    proposalCount: { ...COUNT, description: 'Number of its proposals.' },
    proposals: { type: 'array', items: PROPOSAL, description: 'The first 10 of them.' },
    beginning: {
      type: 'string',
      description:
        'Its first bytes in base64, when it is larger than 16,384 bytes or could not be decoded; then `proposals` is absent.',
    },
  },
  required: ['partition', 'offset', 'rejectedMillis', 'reason', 'waits', 'bytes'],
};

export const LIST_DEAD_LETTERS = defineRoute({
  app: 'admin',
  access: 'administrative',
  path: 'operations/deadLetters',
  parameters: z.object({
    topic: text(1_024).optional().describe('Only records of this topic.'),
    waiting: flag().optional().describe('True: only those that wait for a model; false: only the others.'),
    start: integer({ minimum: 0, maximum: 100_000 }).default(0).describe('Number of dead letters to skip.'),
    count: integer({ minimum: 0, maximum: 200 }).default(20).describe('Number of dead letters to list.'),
  }),
  docs: {
    group: 'Operations',
    summary: 'List rejected proposals that were in the log',
    description:
      'Lists the newest first. The writer keeps a proposal that it must reject after it was logged, or a record that it cannot decode, with the reason.',
    answer: {
      description: 'One page of dead letters.',
      schema: {
        type: 'object',
        properties: {
          start: COUNT,
          count: { ...COUNT, description: 'Number of dead letters on this page.' },
          total: { ...COUNT, description: 'Number of dead letters on all pages.' },
          deadLetters: { type: 'array', items: DEAD_LETTER },
        },
        required: ['start', 'count', 'total', 'deadLetters'],
      },
    },
    examples: [{ title: 'The last ones', parameters: { count: '10' } }],
  },
});

import { PROPOSAL_SCHEMA } from '@stratalog/avro';
import { defineRoute, type ExampleDocs } from '@stratalog/http';
import * as z from 'zod';
import {
  AVRO,
  EXAMPLE_SUBJECT,
  GROUP,
  NUMBER,
  ROUTE,
  TEXT,
  TEXTS,
  answer,
  at,
  ofSubject,
  subject,
} from './registry-route';

const version = z.string().describe('Number of the version, or `latest`.');

const NO_SUBJECT = 'The subject does not exist (40401).';
const NO_VERSION = 'The subject (40401) or the version (40402) does not exist.';
const WRONG_VERSION = 'The version is not a number (42202).';

const SUBJECT_VERSION = z.object({
  subject: TEXT,
  version: NUMBER,
  id: NUMBER,
  schema: TEXT.describe('Its text.'),
});

const body = z.object({
  schema: z.string().describe('The Avro schema as JSON text.'),
  schemaType: z.enum(['AVRO']).default('AVRO').describe('Other types are rejected.'),
  references: z.array(z.object({})).optional().describe('Must be empty.'),
});
const SCHEMA_EXAMPLE = { schema: PROPOSAL_SCHEMA };

const ofVersion: ExampleDocs = {
  title: 'Its latest version',
  parameters: { subject: EXAMPLE_SUBJECT, version: 'latest' },
};

export const REGISTER_SCHEMA = defineRoute({
  ...ROUTE,
  method: 'POST',
  writes: true,
  path: at('subjects/:subject/versions'),
  parameters: z.object({ subject }),
  body,
  docs: {
    group: GROUP,
    summary: 'Register a schema',
    description: `Accepts every schema of the catalog's records that the catalog's own schema of the same name can read, so every record
stays readable. A schema that is already registered keeps its id.`,
    answer: answer('The id of the schema.', z.object({ id: NUMBER })),
    rejections: {
      409: 'The catalog could not read records of this schema.',
      422: 'The text is no Avro schema, or a schema of other records (42201), or the subject is too long (42208).',
    },
    examples: [
      {
        title: 'The schema of proposals',
        parameters: { subject: EXAMPLE_SUBJECT },
        body: SCHEMA_EXAMPLE,
      },
    ],
  },
});

export const LIST_SUBJECTS = defineRoute({
  ...ROUTE,
  path: at('subjects'),
  docs: {
    group: GROUP,
    summary: 'List the subjects',
    answer: answer('Their names.', TEXTS),
    examples: [{ title: 'All subjects' }],
  },
});

export const LIST_VERSIONS = defineRoute({
  ...ROUTE,
  path: at('subjects/:subject/versions'),
  parameters: z.object({ subject }),
  docs: {
    group: GROUP,
    summary: 'List the versions of a subject',
    answer: answer('Their numbers.', z.array(NUMBER)),
    rejections: { 404: NO_SUBJECT },
    examples: [ofSubject],
  },
});

export const READ_VERSION = defineRoute({
  ...ROUTE,
  path: at('subjects/:subject/versions/:version'),
  parameters: z.object({ subject, version }),
  docs: {
    group: GROUP,
    summary: 'Read a version of a subject',
    answer: answer('The version with its schema.', SUBJECT_VERSION),
    rejections: { 404: NO_VERSION, 422: WRONG_VERSION },
    examples: [ofVersion],
  },
});

export const READ_VERSION_SCHEMA = defineRoute({
  ...ROUTE,
  path: at('subjects/:subject/versions/:version/schema'),
  parameters: z.object({ subject, version }),
  docs: {
    group: GROUP,
    summary: 'Read the schema of a version alone',
    answer: answer('The schema.', AVRO),
    rejections: { 404: NO_VERSION, 422: WRONG_VERSION },
    examples: [ofVersion],
  },
});

export const FIND_SCHEMA = defineRoute({
  ...ROUTE,
  method: 'POST',
  path: at('subjects/:subject'),
  parameters: z.object({ subject }),
  body,
  docs: {
    group: GROUP,
    summary: 'Find the version of a schema',
    answer: answer('The version with this schema.', SUBJECT_VERSION),
    rejections: {
      404: 'The subject (40401), or the schema in it, (40403) does not exist.',
      422: 'The body has no schema (42201).',
    },
    examples: [{ ...ofSubject, body: SCHEMA_EXAMPLE }],
  },
});

export const CHECK_SCHEMA = defineRoute({
  ...ROUTE,
  method: 'POST',
  path: at('compatibility/subjects/:subject/versions', 'compatibility/subjects/:subject/versions/:version'),
  parameters: z.object({ subject, version: version.default('latest') }),
  body,
  docs: {
    group: GROUP,
    summary: 'Check whether a schema would be accepted',
    answer: answer(
      'The result, with the reason of a rejection.',
      z.object({ is_compatible: z.boolean(), messages: TEXTS }),
    ),
    rejections: {
      404: NO_VERSION,
      422: 'The version is not a number (42202), or the body has no schema (42201).',
    },
    examples: [{ ...ofVersion, body: SCHEMA_EXAMPLE }],
  },
});

export const REMOVE_SUBJECT = defineRoute({
  ...ROUTE,
  method: 'DELETE',
  path: at('subjects/:subject', 'subjects/:subject/versions/:version'),
  parameters: z.object({ subject, version: version.optional() }),
  docs: {
    group: GROUP,
    summary: 'Rejected: schemas are kept for ever',
    description: 'Records on Kafka name schemas by their ids, so schemas cannot be deleted.',
    rejections: { 422: 'Nothing is deleted (42205).' },
    examples: [],
  },
});

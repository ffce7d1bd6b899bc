import { PROPOSAL_SCHEMA } from '@stratalog/avro';
import type { AnswerDocs, ExampleDocs, ParameterDocs, RouteDocs, ValueSchema } from '@stratalog/http';

/** The routes of the schema registry, in the order in which a reader tries them. */

const GROUP = 'Schema registry';
const EXAMPLE_SUBJECT = 'docs-example-value';

const SUBJECT: ParameterDocs = {
  in: 'path',
  name: 'subject',
  description: 'Name of the subject: by custom the topic, and `-value`.',
  schema: { type: 'string' },
};
const VERSION: ParameterDocs = {
  in: 'path',
  name: 'version',
  description: 'Number of the version, or `latest`.',
  schema: { type: 'string' },
};
const ID: ParameterDocs = {
  in: 'path',
  name: 'id',
  description: 'The number that records on Kafka begin with.',
  schema: { type: 'integer' },
};

/** A schema's number follows from the schema, so that the one that the example registers has this everywhere. */
const PROPOSAL_SCHEMA_ID = '1031732794';

const NO_SUBJECT = 'There is no such subject (40401).';
const NO_VERSION = 'There is no such subject (40401) or version (40402).';
const NO_SCHEMA = 'There is no such schema (40403).';
const WRONG_VERSION = 'The version is no number (42202).';

const NUMBER: ValueSchema = { type: 'integer' };
const TEXT: ValueSchema = { type: 'string' };
const TEXTS: ValueSchema = { type: 'array', items: TEXT };
const AVRO: ValueSchema = { type: 'object', description: 'The Avro schema itself.' };
const SUBJECT_VERSION: ValueSchema = {
  type: 'object',
  properties: { subject: TEXT, version: NUMBER, id: NUMBER, schema: { ...TEXT, description: 'Its text.' } },
  required: ['subject', 'version', 'id', 'schema'],
};

const SCHEMA_BODY: ValueSchema = {
  type: 'object',
  properties: {
    schema: { type: 'string', description: 'The Avro schema as JSON text.' },
    schemaType: { type: 'string', enum: ['AVRO'], default: 'AVRO', description: 'No other type is taken.' },
    references: { type: 'array', items: { type: 'object' }, description: 'Must be empty.' },
  },
  required: ['schema'],
};
const SCHEMA_EXAMPLE = { schema: PROPOSAL_SCHEMA };

const ofSubject: ExampleDocs = { title: 'The example', parameters: { subject: EXAMPLE_SUBJECT } };
const ofVersion: ExampleDocs = {
  title: 'Its latest version',
  parameters: { subject: EXAMPLE_SUBJECT, version: 'latest' },
};
const ofId: ExampleDocs = { title: 'The schema of proposals', parameters: { id: PROPOSAL_SCHEMA_ID } };

function answer(description: string, schema: ValueSchema): AnswerDocs {
  return { description, schema };
}

export const REGISTRY_ROOT: RouteDocs = {
  group: GROUP,
  summary: 'Ask whether it is there',
  description: 'Producers on Kafka are pointed at this address. Everything is also served without `/api`.',
  answer: answer('An empty object.', { type: 'object' }),
  examples: [{ title: 'The root' }],
};

export const REGISTER_SCHEMA: RouteDocs = {
  group: GROUP,
  summary: 'Register a schema',
  description: `Takes every schema of the catalog's records that the catalog's own schema of the same name can read, so that nothing is written
that nobody can read. A schema that is there already keeps its number.`,
  parameters: [SUBJECT],
  body: SCHEMA_BODY,
  answer: answer('The number of the schema.', {
    type: 'object',
    properties: { id: NUMBER },
    required: ['id'],
  }),
  rejections: {
    409: 'The catalog could not read what is written by the schema.',
    422: 'The text is no Avro schema, or that of something else (42201), or the subject is too long (42208).',
  },
  examples: [
    {
      title: 'The schema of proposals',
      parameters: { subject: EXAMPLE_SUBJECT },
      body: SCHEMA_EXAMPLE,
    },
  ],
};

export const LIST_SUBJECTS: RouteDocs = {
  group: GROUP,
  summary: 'List the subjects',
  answer: answer('Their names.', TEXTS),
  examples: [{ title: 'All subjects' }],
};

export const LIST_VERSIONS: RouteDocs = {
  group: GROUP,
  summary: 'List the versions of a subject',
  parameters: [SUBJECT],
  answer: answer('Their numbers.', { type: 'array', items: NUMBER }),
  rejections: { 404: NO_SUBJECT },
  examples: [ofSubject],
};

export const READ_VERSION: RouteDocs = {
  group: GROUP,
  summary: 'Read a version of a subject',
  parameters: [SUBJECT, VERSION],
  answer: answer('The version with its schema.', SUBJECT_VERSION),
  rejections: { 404: NO_VERSION, 422: WRONG_VERSION },
  examples: [ofVersion],
};

export const READ_VERSION_SCHEMA: RouteDocs = {
  group: GROUP,
  summary: 'Read the schema of a version alone',
  parameters: [SUBJECT, VERSION],
  answer: answer('The schema.', AVRO),
  rejections: { 404: NO_VERSION, 422: WRONG_VERSION },
  examples: [ofVersion],
};

export const FIND_SCHEMA: RouteDocs = {
  group: GROUP,
  summary: 'Find the version of a schema',
  onlyReads: true,
  parameters: [SUBJECT],
  body: SCHEMA_BODY,
  answer: answer('The version that has it.', SUBJECT_VERSION),
  rejections: {
    404: 'There is no such subject (40401), or it has no such schema (40403).',
    422: 'No schema was sent (42201).',
  },
  examples: [{ ...ofSubject, body: SCHEMA_EXAMPLE }],
};

export const CHECK_SCHEMA: RouteDocs = {
  group: GROUP,
  summary: 'Ask whether a schema would be taken',
  onlyReads: true,
  parameters: [SUBJECT, VERSION],
  body: SCHEMA_BODY,
  answer: answer('Whether it would, and why not.', {
    type: 'object',
    properties: { is_compatible: { type: 'boolean' }, messages: TEXTS },
    required: ['is_compatible', 'messages'],
  }),
  rejections: { 404: NO_VERSION, 422: 'The version is no number (42202), or no schema was sent (42201).' },
  examples: [{ ...ofVersion, body: SCHEMA_EXAMPLE }],
};

export const REMOVE_SUBJECT: RouteDocs = {
  group: GROUP,
  summary: 'Is refused: schemas are kept for ever',
  onlyReads: true,
  description: 'Records on Kafka name schemas by their numbers, so that none can go.',
  parameters: [SUBJECT, VERSION],
  rejections: { 422: 'Nothing is deleted (42205).' },
  examples: [],
};

export const READ_SCHEMA: RouteDocs = {
  group: GROUP,
  summary: 'Read a schema by its number',
  parameters: [ID],
  answer: answer('The schema as text.', {
    type: 'object',
    properties: { schema: TEXT },
    required: ['schema'],
  }),
  rejections: { 404: NO_SCHEMA },
  examples: [ofId],
};

export const READ_SCHEMA_ALONE: RouteDocs = {
  group: GROUP,
  summary: 'Read a schema alone by its number',
  parameters: [ID],
  answer: answer('The schema.', AVRO),
  rejections: { 404: NO_SCHEMA },
  examples: [ofId],
};

export const LIST_SCHEMA_SUBJECTS: RouteDocs = {
  group: GROUP,
  summary: 'List the subjects of a schema',
  parameters: [ID],
  answer: answer('Their names.', TEXTS),
  rejections: { 404: NO_SCHEMA },
  examples: [ofId],
};

export const LIST_SCHEMA_VERSIONS: RouteDocs = {
  group: GROUP,
  summary: 'List where a schema is used',
  parameters: [ID],
  answer: answer('Subjects and versions.', {
    type: 'array',
    items: {
      type: 'object',
      properties: { subject: TEXT, version: NUMBER },
      required: ['subject', 'version'],
    },
  }),
  rejections: { 404: NO_SCHEMA },
  examples: [ofId],
};

export const LIST_TYPES: RouteDocs = {
  group: GROUP,
  summary: 'List the types of schemas',
  answer: answer('`AVRO` alone.', TEXTS),
  examples: [{ title: 'All types' }],
};

export const LIST_CONTEXTS: RouteDocs = {
  group: GROUP,
  summary: 'List the contexts',
  answer: answer('One, called `.`.', TEXTS),
  examples: [{ title: 'All contexts' }],
};

export const READ_COMPATIBILITY: RouteDocs = {
  group: GROUP,
  summary: 'Ask which schemas are taken',
  parameters: [SUBJECT],
  answer: answer('`FORWARD`: what the schema before can read; here that is the catalog’s own.', {
    type: 'object',
    properties: { compatibilityLevel: TEXT },
    required: ['compatibilityLevel'],
  }),
  examples: [ofSubject],
};

export const SET_COMPATIBILITY: RouteDocs = {
  group: GROUP,
  summary: 'Confirm which schemas are taken',
  onlyReads: true,
  description: 'The rule is fixed. Setting it to what it is does no harm, anything else is refused.',
  parameters: [SUBJECT],
  body: {
    type: 'object',
    properties: { compatibility: { type: 'string', enum: ['FORWARD'], description: 'The rule.' } },
    required: ['compatibility'],
  },
  answer: answer('The rule.', {
    type: 'object',
    properties: { compatibility: TEXT },
    required: ['compatibility'],
  }),
  rejections: { 422: 'Another rule was asked for (42203).' },
  examples: [{ ...ofSubject, body: { compatibility: 'FORWARD' } }],
};

export const READ_MODE: RouteDocs = {
  group: GROUP,
  summary: 'Ask whether schemas may be registered',
  parameters: [SUBJECT],
  answer: answer('`READWRITE`.', { type: 'object', properties: { mode: TEXT }, required: ['mode'] }),
  examples: [ofSubject],
};

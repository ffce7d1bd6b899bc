import { PROPOSAL_SCHEMA } from '@stratalog/avro';
import {
  defineRoute,
  touchNothing,
  type AnswerDocs,
  type ExampleDocs,
  type ValueSchema,
} from '@stratalog/http';
import * as z from 'zod';

/** The routes of the schema registry, in reading order. */

const GROUP = 'Schema registry';
const EXAMPLE_SUBJECT = 'docs-example-value';

const subject = z.string().describe('Name of the subject: by convention the topic and `-value`.');
const version = z.string().describe('Number of the version, or `latest`.');
const id = z
  .string()
  .meta({ type: 'integer', description: 'The schema id at the start of each record on Kafka.' });

/** The paths of a route, with the prefix that is documented and the shorter one. */
function at(...paths: readonly [string, ...string[]]): readonly [string, ...string[]] {
  const [first, ...others] = paths.flatMap((path) => [
    `schema-registry/api/${path}`,
    `schema-registry/${path}`,
  ]);
  return [first ?? '', ...others];
}

const ROUTE = {
  app: 'ingest',
  dialect: 'schema-registry',
  writes: false,
  // Schemas describe the form of proposals, and no entity.
  touches: touchNothing,
} as const;

/** The id derives from the schema, so the example's schema has this id everywhere. */
const PROPOSAL_SCHEMA_ID = '1031732794';

const NO_SUBJECT = 'The subject does not exist (40401).';
const NO_VERSION = 'The subject (40401) or the version (40402) does not exist.';
const NO_SCHEMA = 'The schema does not exist (40403).';
const WRONG_VERSION = 'The version is not a number (42202).';

const NUMBER: ValueSchema = { type: 'integer' };
const TEXT: ValueSchema = { type: 'string' };
const TEXTS: ValueSchema = { type: 'array', items: TEXT };
const AVRO: ValueSchema = { type: 'object', description: 'The Avro schema.' };
const SUBJECT_VERSION: ValueSchema = {
  type: 'object',
  properties: { subject: TEXT, version: NUMBER, id: NUMBER, schema: { ...TEXT, description: 'Its text.' } },
  required: ['subject', 'version', 'id', 'schema'],
};

const body = z.object({
  schema: z.string().describe('The Avro schema as JSON text.'),
  schemaType: z.enum(['AVRO']).default('AVRO').describe('Other types are rejected.'),
  references: z.array(z.object({})).optional().describe('Must be empty.'),
});
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

export const REGISTRY_ROOT = defineRoute({
  ...ROUTE,
  path: ['schema-registry/api', 'schema-registry'],
  docs: {
    group: GROUP,
    summary: 'Check that the registry is up',
    description: 'Producers on Kafka use this address. Every path also works without `/api`.',
    answer: answer('An empty object.', { type: 'object' }),
    examples: [{ title: 'The root' }],
  },
});

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
    answer: answer('The id of the schema.', {
      type: 'object',
      properties: { id: NUMBER },
      required: ['id'],
    }),
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
    answer: answer('Their numbers.', { type: 'array', items: NUMBER }),
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
    answer: answer('The result, with the reason of a rejection.', {
      type: 'object',
      properties: { is_compatible: { type: 'boolean' }, messages: TEXTS },
      required: ['is_compatible', 'messages'],
    }),
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

export const READ_SCHEMA = defineRoute({
  ...ROUTE,
  path: at('schemas/ids/:id'),
  parameters: z.object({ id }),
  docs: {
    group: GROUP,
    summary: 'Read a schema by its id',
    answer: answer('The schema as text.', {
      type: 'object',
      properties: { schema: TEXT },
      required: ['schema'],
    }),
    rejections: { 404: NO_SCHEMA },
    examples: [ofId],
  },
});

export const READ_SCHEMA_ALONE = defineRoute({
  ...ROUTE,
  path: at('schemas/ids/:id/schema'),
  parameters: z.object({ id }),
  docs: {
    group: GROUP,
    summary: 'Read a schema alone by its id',
    answer: answer('The schema.', AVRO),
    rejections: { 404: NO_SCHEMA },
    examples: [ofId],
  },
});

export const LIST_SCHEMA_SUBJECTS = defineRoute({
  ...ROUTE,
  path: at('schemas/ids/:id/subjects'),
  parameters: z.object({ id }),
  docs: {
    group: GROUP,
    summary: 'List the subjects of a schema',
    answer: answer('Their names.', TEXTS),
    rejections: { 404: NO_SCHEMA },
    examples: [ofId],
  },
});

export const LIST_SCHEMA_VERSIONS = defineRoute({
  ...ROUTE,
  path: at('schemas/ids/:id/versions'),
  parameters: z.object({ id }),
  docs: {
    group: GROUP,
    summary: 'List the uses of a schema',
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
  },
});

export const LIST_TYPES = defineRoute({
  ...ROUTE,
  path: at('schemas/types'),
  docs: {
    group: GROUP,
    summary: 'List the types of schemas',
    answer: answer('`AVRO` alone.', TEXTS),
    examples: [{ title: 'All types' }],
  },
});

export const LIST_CONTEXTS = defineRoute({
  ...ROUTE,
  path: at('contexts'),
  docs: {
    group: GROUP,
    summary: 'List the contexts',
    answer: answer('One context, called `.`.', TEXTS),
    examples: [{ title: 'All contexts' }],
  },
});

export const READ_COMPATIBILITY = defineRoute({
  ...ROUTE,
  path: at('config', 'config/:subject'),
  parameters: z.object({ subject: subject.optional() }),
  docs: {
    group: GROUP,
    summary: 'Read the compatibility rule',
    answer: answer('`FORWARD`: the previous schema, here the catalog’s own, can read the records.', {
      type: 'object',
      properties: { compatibilityLevel: TEXT },
      required: ['compatibilityLevel'],
    }),
    examples: [ofSubject],
  },
});

export const SET_COMPATIBILITY = defineRoute({
  ...ROUTE,
  method: 'PUT',
  path: at('config', 'config/:subject'),
  parameters: z.object({ subject: subject.optional() }),
  body: z.object({ compatibility: z.enum(['FORWARD']).describe('The rule.') }),
  docs: {
    group: GROUP,
    summary: 'Confirm the compatibility rule',
    description: 'The rule is fixed. Setting the current rule succeeds; any other rule is rejected.',
    answer: answer('The rule.', {
      type: 'object',
      properties: { compatibility: TEXT },
      required: ['compatibility'],
    }),
    rejections: { 422: 'The request asks for another rule (42203).' },
    examples: [{ ...ofSubject, body: { compatibility: 'FORWARD' } }],
  },
});

export const READ_MODE = defineRoute({
  ...ROUTE,
  path: at('mode', 'mode/:subject'),
  parameters: z.object({ subject: subject.optional() }),
  docs: {
    group: GROUP,
    summary: 'Read whether registration is open',
    answer: answer('`READWRITE`.', { type: 'object', properties: { mode: TEXT }, required: ['mode'] }),
    examples: [ofSubject],
  },
});

/** Newer clients first try paths of newer registries, and continue after a 404. */
export const UNKNOWN_PATH = defineRoute({ ...ROUTE, method: 'ALL', path: at('*') });

import { defineRoute, type ExampleDocs } from '@stratalog/http';
import * as z from 'zod';
import { AVRO, GROUP, NUMBER, ROUTE, TEXT, TEXTS, answer, at } from './registry-route';

const id = z
  .string()
  .meta({ type: 'integer', description: 'The schema id at the start of each record on Kafka.' });

const NO_SCHEMA = 'The schema does not exist (40403).';

/** The id derives from the schema, so the example's schema has this id everywhere. */
const PROPOSAL_SCHEMA_ID = '1031732794';
const ofId: ExampleDocs = { title: 'The schema of proposals', parameters: { id: PROPOSAL_SCHEMA_ID } };

export const READ_SCHEMA = defineRoute({
  ...ROUTE,
  path: at('schemas/ids/:id'),
  parameters: z.object({ id }),
  docs: {
    group: GROUP,
    summary: 'Read a schema by its id',
    answer: answer('The schema as text.', z.object({ schema: TEXT })),
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
    answer: answer('Subjects and versions.', z.array(z.object({ subject: TEXT, version: NUMBER }))),
    rejections: { 404: NO_SCHEMA },
    examples: [ofId],
  },
});

import { JSON_OBJECT, JSON_VALUE, defineRoute, oneOf } from '@stratalog/http';
import { didYouMean } from '@stratalog/domain';
import * as z from 'zod';

const ROUTE = { app: 'query', access: 'public' } as const;

const TEXT = z.string();
const TEXTS = z.array(TEXT);
const FLAG = z.boolean();
const KIND = z.enum(['versioned', 'timeseries']);

const SEARCH_FIELDS = z.array(
  z.object({
    name: TEXT.describe('Name of the field in queries.'),
    type: TEXT,
    aspect: TEXT,
    path: TEXT.describe('Path of the value in the aspect.'),
    queryByDefault: FLAG.optional().describe('True when a query without a field name searches this field.'),
    boost: z.number().optional(),
    autocomplete: FLAG.optional(),
    aliases: TEXTS.optional(),
    filterName: TEXT.optional(),
  }),
);

const RELATIONSHIPS = z.array(
  z.object({
    name: TEXT,
    aspect: TEXT,
    path: TEXT,
    entityTypes: TEXTS.describe('Entity types of the other end; empty: any type.'),
    isLineage: FLAG.optional(),
    isUpstream: FLAG.optional(),
  }),
);

const SUMMARY = { name: TEXT, doc: TEXT, category: TEXT.optional(), keyAspect: TEXT };

export const LIST_ENTITIES = defineRoute({
  ...ROUTE,
  path: 'models/entities',
  docs: {
    group: 'Model',
    summary: 'List every entity type',
    answer: {
      description: 'The entity types in the order of the model.',
      schema: z.object({
        fingerprint: TEXT.describe('Fingerprint that changes with every rule of validation.'),
        entities: z.array(z.object({ ...SUMMARY, aspects: TEXTS })),
      }),
    },
    examples: [{ title: 'All entity types' }],
  },
});

export const DESCRIBE_ENTITY = defineRoute({
  ...ROUTE,
  path: 'models/entities/:name',
  parameters: z.object({ name: z.string().describe('Name of the entity type, in any case.') }),
  docs: {
    group: 'Model',
    summary: 'Describe an entity type',
    answer: {
      description: 'The aspects, search fields and relationships of the entity type.',
      schema: z.object({
        ...SUMMARY,
        keyParts: TEXTS.describe('The parts of its urns, in order.'),
        aspects: z.array(z.object({ name: TEXT, kind: KIND, record: TEXT })),
        searchFields: SEARCH_FIELDS,
        filters: z.record(z.string(), TEXT).describe('Display names of filters by field.'),
        relationships: RELATIONSHIPS,
      }),
    },
    rejections: { 404: 'The model has no such entity type.' },
    examples: [{ title: 'Datasets', parameters: { name: 'dataset' } }],
  },
});

const FORMATS = ['jsonSchema'] as const;
const format = oneOf(FORMATS, (sent) => ({
  message: `Parameter 'format' is "${sent}"; allowed: jsonSchema${didYouMean(sent, FORMATS)}`,
}));

export const DESCRIBE_ASPECT = defineRoute({
  ...ROUTE,
  path: 'models/aspects/:name',
  parameters: z.object({
    name: z.string().describe('Name of the aspect.'),
    format: format
      .optional()
      .describe(
        '`jsonSchema` selects the JSON Schema, as the header `Accept: application/schema+json` does.',
      ),
  }),
  docs: {
    group: 'Model',
    summary: 'Describe an aspect, also as a JSON Schema',
    description: `The JSON Schema (draft 2020-12) describes stored values, which reads return. Writes also accept other forms, which it omits: other names of union
members, unknown members, and nulls for absent members.`,
    answer: {
      description: 'The aspect with its fields, or its JSON Schema.',
      contentTypes: ['application/json', 'application/schema+json'],
      schema: z.union([
        z.object({
          name: TEXT,
          kind: KIND,
          isKey: FLAG,
          record: TEXT,
          doc: TEXT,
          entities: TEXTS.describe('Entity types with this aspect.'),
          fields: z.array(
            z.object({ name: TEXT, type: TEXT, isRequired: FLAG, default: JSON_VALUE.optional(), doc: TEXT }),
          ),
          searchFields: SEARCH_FIELDS.optional(),
          relationships: RELATIONSHIPS.optional(),
          timeseries: JSON_OBJECT.optional().describe(
            'The filterable fields and collections of a timeseries aspect.',
          ),
        }),
        z.object({ $schema: TEXT, title: TEXT, $ref: TEXT, $defs: JSON_OBJECT }),
      ]),
    },
    rejections: { 404: 'The model has no such aspect.' },
    examples: [
      { title: 'Ownership', parameters: { name: 'ownership' } },
      { title: 'As a JSON Schema', parameters: { name: 'ownership', format: 'jsonSchema' } },
    ],
  },
});

import { defineRoute, oneOf, type ValueSchema } from '@stratalog/http';
import { didYouMean } from '@stratalog/model';
import * as z from 'zod';

const ROUTE = { app: 'query', access: 'public' } as const;

const TEXT: ValueSchema = { type: 'string' };
const TEXTS: ValueSchema = { type: 'array', items: TEXT };
const FLAG: ValueSchema = { type: 'boolean' };
const KIND: ValueSchema = { type: 'string', enum: ['versioned', 'timeseries'] };

const SEARCH_FIELDS: ValueSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      name: { ...TEXT, description: 'Name of the field in queries.' },
      type: TEXT,
      aspect: TEXT,
      path: { ...TEXT, description: 'Path of the value in the aspect.' },
      queryByDefault: { ...FLAG, description: 'True when a query without a field name searches this field.' },
      boost: { type: 'number' },
      autocomplete: FLAG,
      aliases: TEXTS,
      filterName: TEXT,
    },
    required: ['name', 'type', 'aspect', 'path'],
  },
};

const RELATIONSHIPS: ValueSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      name: TEXT,
      aspect: TEXT,
      path: TEXT,
      entityTypes: { ...TEXTS, description: 'Entity types of the other end; empty: any type.' },
      isLineage: FLAG,
      isUpstream: FLAG,
    },
    required: ['name', 'aspect', 'path', 'entityTypes'],
  },
};

const SUMMARY = {
  name: TEXT,
  doc: TEXT,
  category: TEXT,
  keyAspect: TEXT,
} satisfies Record<string, ValueSchema>;

export const LIST_ENTITIES = defineRoute({
  ...ROUTE,
  path: 'models/entities',
  docs: {
    group: 'Model',
    summary: 'List every entity type',
    answer: {
      description: 'The entity types in the order of the model.',
      schema: {
        type: 'object',
        properties: {
          fingerprint: { ...TEXT, description: 'Fingerprint that changes with every rule of validation.' },
          entities: {
            type: 'array',
            items: {
              type: 'object',
              properties: { ...SUMMARY, aspects: TEXTS },
              required: ['name', 'doc', 'keyAspect', 'aspects'],
            },
          },
        },
        required: ['fingerprint', 'entities'],
      },
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
      schema: {
        type: 'object',
        properties: {
          ...SUMMARY,
          keyParts: { ...TEXTS, description: 'The parts of its urns, in order.' },
          aspects: {
            type: 'array',
            items: {
              type: 'object',
              properties: { name: TEXT, kind: KIND, record: TEXT },
              required: ['name', 'kind', 'record'],
            },
          },
          searchFields: SEARCH_FIELDS,
          filters: {
            type: 'object',
            additionalProperties: TEXT,
            description: 'Display names of filters by field.',
          },
          relationships: RELATIONSHIPS,
        },
        required: [
          'name',
          'doc',
          'keyAspect',
          'keyParts',
          'aspects',
          'searchFields',
          'filters',
          'relationships',
        ],
      },
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
      schema: {
        anyOf: [
          {
            type: 'object',
            properties: {
              name: TEXT,
              kind: KIND,
              isKey: FLAG,
              record: TEXT,
              doc: TEXT,
              entities: { ...TEXTS, description: 'Entity types with this aspect.' },
              fields: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { name: TEXT, type: TEXT, isRequired: FLAG, default: {}, doc: TEXT },
                  required: ['name', 'type', 'isRequired', 'doc'],
                },
              },
              searchFields: SEARCH_FIELDS,
              relationships: RELATIONSHIPS,
              timeseries: {
                type: 'object',
                description: 'The filterable fields and collections of a timeseries aspect.',
              },
            },
            required: ['name', 'kind', 'isKey', 'record', 'doc', 'entities', 'fields'],
          },
          {
            type: 'object',
            properties: { $schema: TEXT, title: TEXT, $ref: TEXT, $defs: { type: 'object' } },
            required: ['$schema', 'title', '$ref', '$defs'],
          },
        ],
      },
    },
    rejections: { 404: 'The model has no such aspect.' },
    examples: [
      { title: 'Ownership', parameters: { name: 'ownership' } },
      { title: 'As a JSON Schema', parameters: { name: 'ownership', format: 'jsonSchema' } },
    ],
  },
});

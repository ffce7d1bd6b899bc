import type { JsonOutputObject } from '@stratalog/json';
import { COUNT_BOUNDS, OPERATORS } from '../operators/operators';
import { KEPT_TYPES, ROLES, RUN_TYPES } from './actions/action-forms';
import {
  MAX_ACTIONS,
  MAX_ACTION_VALUES,
  MAX_NOTE_CHARACTERS,
  MAX_OPERANDS,
  MAX_PREDICATES,
  MAX_TYPES,
} from '../limits';
import { AGGREGATES, QUANTIFIERS } from './metadata-test';

const TEXT = { type: 'string' } as const;
const DESCRIPTION = { description: { ...TEXT, description: 'For people; without an effect.' } };
const PREDICATE = { $ref: '#/$defs/predicate' };
const PREDICATES = { type: 'array', maxItems: MAX_PREDICATES, items: PREDICATE };
const DURATION = { type: 'string', pattern: '^(?=0*[1-9])[0-9]{1,6}[mhdw]$' };
const SCALAR = { type: ['string', 'number', 'boolean'] };
const OPERAND = { anyOf: [SCALAR, { type: 'array', maxItems: MAX_OPERANDS, items: SCALAR }] };
const OPERANDS = {
  value: OPERAND,
  values: OPERAND,
  ...Object.fromEntries(COUNT_BOUNDS.map((name) => [name, { type: ['integer', 'string'] }])),
};
const NEGATE = {
  negate: { type: 'boolean', description: 'True turns the predicate around.' },
};
const PATH = {
  ...TEXT,
  minLength: 1,
  description: 'A path from the entity, or from the element: `ownership.owners.owner.corpUserStatus.status`.',
};

const ACTION_VALUE = { type: ['string', 'number'] };
const ACTION_VALUES = {
  anyOf: [ACTION_VALUE, { type: 'array', minItems: 1, maxItems: MAX_ACTION_VALUES, items: ACTION_VALUE }],
};
/** The parameters of actions. Which of them an action takes depends on its type, and is checked when a test is saved. */
const ACTION_PARAMS = {
  value: ACTION_VALUES,
  values: ACTION_VALUES,
  property: { ...TEXT, description: 'Urn of a structured property.' },
  note: { ...TEXT, maxLength: MAX_NOTE_CHARACTERS, description: 'Of a deprecation.' },
  replacement: { ...TEXT, description: 'Of a deprecation: the urn of the entity to use from now on.' },
  decommissionTime: { type: 'integer', minimum: 0, description: 'Of a deprecation, in epoch milliseconds.' },
  ...Object.fromEntries(
    ROLES.map((name) => [
      name,
      {
        anyOf: [TEXT, { type: 'array', maxItems: 1, items: TEXT }],
        description: 'Role of owners: a symbol of the model, or the urn of an ownership type.',
      },
    ]),
  ),
};

/** The JSON Schema of the text of a definition. Paths, and values that fit them, only the model knows. */
export const DEFINITION_SCHEMA: JsonOutputObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Metadata test',
  description: 'The definition of a metadata test: what it is about, and which rules hold.',
  anyOf: [
    { $ref: '#/$defs/test' },
    { type: 'object', maxProperties: 0, description: 'A draft: it tests nothing.' },
  ],
  $defs: {
    test: object(
      {
        ...DESCRIPTION,
        on: object(
          {
            ...DESCRIPTION,
            types: {
              type: 'array',
              minItems: 1,
              maxItems: MAX_TYPES,
              items: TEXT,
              description: 'Entity types, in any case.',
            },
            conditions: { ...PREDICATE, description: 'Only entities that meet it are tested.' },
            match: { ...PREDICATE, description: 'The same as `conditions`.' },
          },
          ['types'],
        ),
        rules: { ...PREDICATE, description: 'Entities that meet it pass, all others fail.' },
        actions: object({
          ...DESCRIPTION,
          passing: { $ref: '#/$defs/actions' },
          failing: { $ref: '#/$defs/actions' },
        }),
      },
      ['on', 'rules'],
    ),
    predicate: {
      anyOf: [
        { ...PREDICATES, description: 'All of it.' },
        ...['and', 'or'].map((form) =>
          object({ ...DESCRIPTION, ...NEGATE, [form]: { anyOf: [PREDICATES, PREDICATE] } }, [form]),
        ),
        object({ ...DESCRIPTION, ...NEGATE, not: PREDICATE }, ['not']),
        ...QUANTIFIERS.map((form) =>
          object({ ...DESCRIPTION, ...NEGATE, [form]: PATH, where: PREDICATE, rules: PREDICATE }, [
            form,
            'rules',
          ]),
        ),
        { $ref: '#/$defs/comparison' },
      ],
    },
    comparison: {
      ...object({
        ...DESCRIPTION,
        ...NEGATE,
        property: PATH,
        query: { ...PATH, description: 'The same as `property`.' },
        operator: { $ref: '#/$defs/operator' },
        operation: { $ref: '#/$defs/operator' },
        ...OPERANDS,
        params: object(OPERANDS),
        aggregate: { ...TEXT, enum: [...AGGREGATES] },
        within: { ...DURATION, description: 'The range of timeseries values up to now: `7d`.' },
      }),
      allOf: [
        { oneOf: [{ required: ['property'] }, { required: ['query'] }] },
        { oneOf: [{ required: ['operator'] }, { required: ['operation'] }] },
      ],
    },
    operator: {
      anyOf: [
        { enum: OPERATORS.flatMap(({ name, aliases }) => [name, ...aliases]) },
        { ...TEXT, pattern: '[A-Z]', description: 'The same names in upper case.' },
      ],
    },
    actions: {
      type: 'array',
      maxItems: MAX_ACTIONS,
      items: {
        type: 'object',
        properties: {
          ...DESCRIPTION,
          type: {
            anyOf: [
              { enum: RUN_TYPES },
              { enum: [...KEPT_TYPES], description: 'Kept, not run.' },
              { ...TEXT, pattern: '[a-z]', description: 'The same names in lower case.' },
            ],
          },
          takeBack: {
            type: 'boolean',
            description: 'True: what the action added is removed as soon as the test has another outcome.',
          },
          ...ACTION_PARAMS,
          params: { type: 'object', properties: ACTION_PARAMS },
        },
        required: ['type'],
      },
    },
  },
};

function object(properties: JsonOutputObject, required: readonly string[] = []): JsonOutputObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

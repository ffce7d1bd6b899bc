import {
  AUDIT_STAMP,
  EXAMPLE_URN,
  type ParameterDocs,
  type RouteDocs,
  type ValueSchema,
} from '@stratalog/http';
import { MAX_COUNT } from './parse-relationship-request';

const COUNT: ValueSchema = { type: 'integer', minimum: 0 };

const URN: ParameterDocs = {
  in: 'query',
  name: 'urn',
  description: 'The entity that the edges begin or end at. Percent-encode it.',
  schema: { type: 'string' },
  isRequired: true,
};

export const READ_RELATIONSHIPS: RouteDocs = {
  group: 'Relationships',
  summary: 'Read the entities that are one edge away',
  description: `Which relationships there are stands on the pages of the aspects that draw them. An edge belongs to the entity whose aspect
draws it: a dataset's \`ownership\` draws \`OwnedBy\` to each owner, so the owner's datasets are its \`INCOMING\` ends.

An entity that nobody wrote has no edges. Ends that nobody wrote, and those whose \`status\` says \`removed\`, are answered like all others.`,
  parameters: [
    URN,
    {
      in: 'query',
      name: 'direction',
      description:
        '`OUTGOING`: what the entity draws. `INCOMING`: what others draw to it. `UNDIRECTED`: both.',
      schema: { type: 'string', enum: ['INCOMING', 'OUTGOING', 'UNDIRECTED'] },
      isRequired: true,
    },
    {
      in: 'query',
      name: 'types',
      description: 'Names of relationships: `List(a,b)`, or `a,b`, or the parameter repeated.',
      schema: { type: 'string' },
      isRequired: true,
    },
    {
      in: 'query',
      name: 'start',
      description: 'How many edges are skipped.',
      schema: { ...COUNT, default: 0 },
    },
    {
      in: 'query',
      name: 'count',
      description: 'How many edges come at most.',
      schema: { ...COUNT, maximum: MAX_COUNT, default: 100 },
    },
    {
      in: 'header',
      name: 'X-Stratalog-Wait-For',
      description:
        'A position that the answer must include, as a write answered it in `X-Stratalog-Position`.',
      schema: { type: 'string' },
    },
  ],
  answer: {
    description: 'One page, by type and then by urn. An edge that several aspects draw is there once.',
    schema: {
      type: 'object',
      properties: {
        start: { ...COUNT, description: 'The `start` that was asked for.' },
        count: { ...COUNT, description: 'How many edges this page has.' },
        total: { ...COUNT, description: 'How many all pages have.' },
        relationships: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              type: { type: 'string', description: 'Name of the relationship.' },
              entity: { type: 'string', description: 'Urn of the other end.' },
              created: {
                ...AUDIT_STAMP,
                description:
                  'What the aspect says of the edge, else when its value was observed and who wrote it.',
              },
            },
            required: ['type', 'entity', 'created'],
          },
        },
        entities: {
          type: 'array',
          items: { type: 'string' },
          description: 'The urns of the page, each once.',
        },
      },
      required: ['start', 'count', 'total', 'relationships', 'entities'],
    },
    headers: {
      'X-Stratalog-Position': 'How far the graph was.',
      'X-Stratalog-Lag': 'How many changes of the store the graph had not; 0 means that nothing is missing.',
    },
  },
  rejections: {
    503: 'The first graph is being built, or the position did not come in time. Repeat the call.',
  },
  examples: [
    {
      title: 'What a dataset draws',
      parameters: { urn: EXAMPLE_URN, direction: 'OUTGOING', types: 'List(OwnedBy,TaggedWith,DownstreamOf)' },
    },
    {
      title: 'What comes from it',
      parameters: { urn: EXAMPLE_URN, direction: 'INCOMING', types: 'DownstreamOf' },
    },
    {
      title: 'What somebody owns',
      parameters: { urn: 'urn:li:corpuser:ada', direction: 'INCOMING', types: 'OwnedBy', count: '10' },
    },
  ],
};

export const REMOVE_RELATIONSHIPS: RouteDocs = {
  group: 'Relationships',
  summary: 'Remove an entity’s edges from the graph',
  description: `Those that begin or end at the entity are gone when the call is answered. The store is not changed: what its aspects still say is
drawn again when one of those aspects is written with another value, and whenever the graph is built anew. To take the references out of the
aspects, write the aspects.`,
  parameters: [URN],
  answer: { description: 'The edges are gone, also when there were none.' },
  rejections: { 503: 'The first graph is being built. Repeat the call.' },
  examples: [
    { title: 'An entity that nothing leads to any more', parameters: { urn: 'urn:li:tag:docs-nobody' } },
  ],
};

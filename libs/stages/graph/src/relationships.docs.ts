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
  description: 'The entity at which the edges start or end. Percent-encode it.',
  schema: { type: 'string' },
  isRequired: true,
};

export const READ_RELATIONSHIPS: RouteDocs = {
  group: 'Relationships',
  summary: 'Read the entities that are one edge away',
  description: `The pages of the aspects list their relationships. An edge starts at the entity whose aspect declares it: a dataset's \`ownership\`
declares an \`OwnedBy\` edge to each owner, so the owner's datasets are its \`INCOMING\` ends.
An entity without a write has no edges. Ends without a write, and ends whose \`status\` says \`removed\`, are included like all others.`,
  parameters: [
    URN,
    {
      in: 'query',
      name: 'direction',
      description:
        '`OUTGOING`: edges that start at the entity. `INCOMING`: edges that end there. `UNDIRECTED`: both.',
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
      description: 'Number of edges to skip.',
      schema: { ...COUNT, default: 0 },
    },
    {
      in: 'query',
      name: 'count',
      description: 'Most edges of the page.',
      schema: { ...COUNT, maximum: MAX_COUNT, default: 100 },
    },
    {
      in: 'header',
      name: 'X-Stratalog-Wait-For',
      description: 'A position that the answer must include, from the `X-Stratalog-Position` of a write.',
      schema: { type: 'string' },
    },
  ],
  answer: {
    description:
      'One page, ordered by type and then by urn. An edge that several aspects declare appears once.',
    schema: {
      type: 'object',
      properties: {
        start: { ...COUNT, description: 'The `start` of the request.' },
        count: { ...COUNT, description: 'Number of edges on this page.' },
        total: { ...COUNT, description: 'Number of edges on all pages.' },
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
                  'The stamp that the aspect gives the edge, else the time of observation and the actor of the value.',
              },
            },
            required: ['type', 'entity', 'created'],
          },
        },
        entities: {
          type: 'array',
          items: { type: 'string' },
          description: 'The distinct urns of the page.',
        },
      },
      required: ['start', 'count', 'total', 'relationships', 'entities'],
    },
    headers: {
      'X-Stratalog-Position': 'The position of the graph.',
      'X-Stratalog-Lag':
        'Number of changes in the store that the graph does not include; 0 when it is up to date.',
    },
  },
  rejections: {
    503: 'The first graph is being built, or the graph did not reach the position in time. Repeat the call.',
  },
  examples: [
    {
      title: 'Edges that start at a dataset',
      parameters: { urn: EXAMPLE_URN, direction: 'OUTGOING', types: 'List(OwnedBy,TaggedWith,DownstreamOf)' },
    },
    {
      title: 'Datasets downstream of it',
      parameters: { urn: EXAMPLE_URN, direction: 'INCOMING', types: 'DownstreamOf' },
    },
    {
      title: 'Assets of an owner',
      parameters: { urn: 'urn:li:corpuser:ada', direction: 'INCOMING', types: 'OwnedBy', count: '10' },
    },
  ],
};

export const REMOVE_RELATIONSHIPS: RouteDocs = {
  group: 'Relationships',
  summary: 'Remove an entity’s edges from the graph',
  description: `When the call returns, the edges that start or end at the entity are gone. The store does not change: the graph gets the edges
again when one of the aspects changes its value, and at each rebuild. To remove the references from the
aspects, write the aspects.`,
  parameters: [URN],
  answer: { description: 'The edges are gone, also when there were none.' },
  rejections: { 503: 'The first graph is being built. Repeat the call.' },
  examples: [{ title: 'An entity without references', parameters: { urn: 'urn:li:tag:docs-nobody' } }],
};

import type { RouteDocs } from '@stratalog/http';

const PAGE = { contentTypes: ['text/html'] };
const GROUP = 'Documentation';

const LINK = { type: 'string', description: 'A path of this server.' } as const;

export const READ_ROOT: RouteDocs = {
  group: GROUP,
  summary: 'Ask where things are',
  description: 'A browser, which asks for `text/html`, is led to this page.',
  answer: {
    description: 'The addresses to begin with.',
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        version: { type: 'string' },
        documentation: LINK,
        openapi: LINK,
        health: LINK,
        config: LINK,
      },
      required: ['name', 'version', 'documentation', 'openapi', 'health', 'config'],
    },
  },
  answersAlso: { 302: 'The caller asks for HTML: `Location` is this page.' },
  examples: [{ title: 'The addresses' }],
};

export const READ_ICON: RouteDocs = {
  group: GROUP,
  summary: 'Read the icon that browsers show',
  answer: { description: 'The icon.', contentTypes: ['image/svg+xml'] },
  examples: [{ title: 'The icon' }],
};

export const READ_INDEX: RouteDocs = {
  group: GROUP,
  summary: 'Read this page',
  parameters: [
    { in: 'query', name: 'q', description: 'What the page is narrowed to.', schema: { type: 'string' } },
  ],
  answer: { description: 'Every endpoint, entity and aspect.', ...PAGE },
  examples: [{ title: 'The page' }],
};

export const READ_ENTITY_PAGE: RouteDocs = {
  group: GROUP,
  summary: 'Read about an entity type',
  parameters: [
    { in: 'path', name: 'name', description: 'Name of the entity type.', schema: { type: 'string' } },
  ],
  answer: { description: 'Its urns, aspects, search fields and relationships.', ...PAGE },
  rejections: { 404: 'The model has no such entity type.' },
  examples: [{ title: 'Datasets', parameters: { name: 'dataset' } }],
};

export const READ_ASPECT_PAGE: RouteDocs = {
  group: GROUP,
  summary: 'Read about an aspect',
  parameters: [{ in: 'path', name: 'name', description: 'Name of the aspect.', schema: { type: 'string' } }],
  answer: { description: 'Its fields, their types, and what is searched and related.', ...PAGE },
  rejections: { 404: 'The model has no such aspect.' },
  examples: [{ title: 'Ownership', parameters: { name: 'ownership' } }],
};

export const READ_ASSET: RouteDocs = {
  group: GROUP,
  summary: 'Read what the pages load',
  parameters: [
    {
      in: 'path',
      name: 'name',
      description: 'Name of the file.',
      schema: { type: 'string', enum: ['docs.css', 'docs.js', 'icon.svg'] },
    },
    {
      in: 'query',
      name: 'v',
      description: 'Tells the content of one release from that of another, for caches.',
      schema: { type: 'string' },
    },
  ],
  answer: {
    description: 'The style sheet, the script or the icon.',
    contentTypes: ['text/css', 'text/javascript', 'image/svg+xml'],
  },
  rejections: { 404: 'There is no such file.' },
  examples: [{ title: 'The style sheet', parameters: { name: 'docs.css' } }],
};

export const READ_OPENAPI: RouteDocs = {
  group: GROUP,
  summary: 'Read every endpoint as an OpenAPI document',
  description: `All actions of a path are one operation there, because OpenAPI knows no queries in paths. \`x-actions\` says which of its schemas belong
to which action.`,
  answer: {
    description: 'OpenAPI 3.1.',
    schema: {
      type: 'object',
      properties: { openapi: { type: 'string' }, info: { type: 'object' }, paths: { type: 'object' } },
      required: ['openapi', 'info', 'paths'],
    },
  },
  examples: [{ title: 'The document' }],
};

import { JSON_OBJECT, defineRoute } from '@stratalog/http';
import * as z from 'zod';

const ROUTE = { app: 'query', access: 'public' } as const;

const PAGE = { contentTypes: ['text/html'] };
const GROUP = 'Documentation';

const LINK = z.string().describe('A path of this server.');

export const READ_ROOT = defineRoute({
  ...ROUTE,
  path: '',
  docs: {
    group: GROUP,
    summary: 'Ask where things are',
    description: 'A browser, which asks for `text/html`, is led to the pages below `/ui/`.',
    answer: {
      description: 'The addresses to begin with.',
      schema: z.object({
        name: z.string(),
        version: z.string(),
        documentation: LINK,
        openapi: LINK,
        health: LINK,
        config: LINK,
      }),
    },
    answersAlso: { 302: 'The caller asks for HTML: `Location` is `/ui/`.' },
    examples: [{ title: 'The addresses' }],
  },
});

export const READ_ICON = defineRoute({
  ...ROUTE,
  path: ['favicon.ico', 'favicon.svg'],
  docs: {
    group: GROUP,
    summary: 'Read the icon that browsers show',
    answer: { description: 'The icon.', contentTypes: ['image/svg+xml'] },
    examples: [{ title: 'The icon' }],
  },
});

export const READ_INDEX = defineRoute({
  ...ROUTE,
  path: 'restli/docs',
  otherParameters: [
    { in: 'query', name: 'q', description: 'What the page is narrowed to.', schema: { type: 'string' } },
  ],
  docs: {
    group: GROUP,
    summary: 'Read this page',
    answer: { description: 'Every endpoint, entity and aspect.', ...PAGE },
    examples: [{ title: 'The page' }],
  },
});

export const READ_ENTITY_PAGE = defineRoute({
  ...ROUTE,
  path: 'restli/docs/entities/:name',
  parameters: z.object({ name: z.string().describe('Name of the entity type.') }),
  docs: {
    group: GROUP,
    summary: 'Read about an entity type',
    answer: { description: 'Its urns, aspects, search fields and relationships.', ...PAGE },
    rejections: { 404: 'The model has no such entity type.' },
    examples: [{ title: 'Datasets', parameters: { name: 'dataset' } }],
  },
});

export const READ_ASPECT_PAGE = defineRoute({
  ...ROUTE,
  path: 'restli/docs/aspects/:name',
  parameters: z.object({ name: z.string().describe('Name of the aspect.') }),
  docs: {
    group: GROUP,
    summary: 'Read about an aspect',
    answer: { description: 'Its fields, their types, and what is searched and related.', ...PAGE },
    rejections: { 404: 'The model has no such aspect.' },
    examples: [{ title: 'Ownership', parameters: { name: 'ownership' } }],
  },
});

export const READ_ASSET = defineRoute({
  ...ROUTE,
  path: 'restli/docs/assets/:name',
  otherParameters: [
    {
      in: 'query',
      name: 'v',
      description: 'Tells the content of one release from that of another, for caches.',
      schema: { type: 'string' },
    },
  ],
  parameters: z.object({
    name: z.string().meta({ enum: ['docs.css', 'docs.js', 'icon.svg'], description: 'Name of the file.' }),
  }),
  docs: {
    group: GROUP,
    summary: 'Read what the pages load',
    answer: {
      description: 'The style sheet, the script or the icon.',
      contentTypes: ['text/css', 'text/javascript', 'image/svg+xml'],
    },
    rejections: { 404: 'There is no such file.' },
    examples: [{ title: 'The style sheet', parameters: { name: 'docs.css' } }],
  },
});

export const READ_OPENAPI = defineRoute({
  ...ROUTE,
  path: 'openapi.json',
  docs: {
    group: GROUP,
    summary: 'Read every endpoint as an OpenAPI document',
    description: `All actions of a path are one operation there, because OpenAPI knows no queries in paths. \`x-actions\` says which of its schemas belong
to which action.`,
    answer: {
      description: 'OpenAPI 3.1.',
      schema: z.object({ openapi: z.string(), info: JSON_OBJECT, paths: JSON_OBJECT }),
    },
    examples: [{ title: 'The document' }],
  },
});

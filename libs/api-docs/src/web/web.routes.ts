import { defineRoute } from '@stratalog/http';

const ROUTE = { app: 'query', access: 'public' } as const;

/** Every address below, whose pages the document shows. */
export const READ_WEB_FILE = defineRoute({ ...ROUTE, path: 'ui/*' });

export const READ_WEB_PAGE = defineRoute({
  ...ROUTE,
  path: 'ui',
  docs: {
    group: 'Documentation',
    summary: 'Read the web pages',
    description: `Pages for people: find, understand and compare. Every address below \`/ui/\` answers the same document, which
shows the page of its address, except the files that it loads. They hold no metadata; the calls that they make need a token like any other.
Until they are built, every address answers 503 with a document that says so and reloads itself.`,
    answer: { description: 'The document, or a file of it.', contentTypes: ['text/html'] },
    examples: [{ title: 'The home page' }],
  },
});

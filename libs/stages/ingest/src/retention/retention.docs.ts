import { EXAMPLE_URN, type RouteDocs } from '@stratalog/http';

export const APPLY_RETENTION: RouteDocs = {
  group: 'Write',
  summary: 'Purge old values now',
  description: `Applies the retention policies to a page of all aspects, ordered by urn and name, or to the aspects of one entity. The catalog also does so by itself: for
an aspect at each write to it, and for all aspects on a schedule. The latest value of an aspect is never purged.`,
  body: {
    type: 'object',
    properties: {
      start: {
        type: 'integer',
        minimum: 0,
        default: 0,
        description: 'Number of aspects to skip.',
      },
      count: {
        type: 'integer',
        minimum: 0,
        maximum: 10_000,
        default: 100,
        description: 'Number of aspects to inspect.',
      },
      attemptWithVersion: {
        type: 'integer',
        minimum: 0,
        default: 2,
        description: 'Skips aspects whose latest version has a lower number.',
      },
      aspectName: { type: 'string', description: 'Only aspects of this name.' },
      urn: { type: 'string', description: 'Only aspects of this entity.' },
    },
  },
  answer: {
    description:
      'Arguments and result, as text for people: inspected aspects, truncated aspects, purged versions.',
    schema: { type: 'string' },
  },
  examples: [{ title: 'One entity', body: { urn: EXAMPLE_URN } }],
};

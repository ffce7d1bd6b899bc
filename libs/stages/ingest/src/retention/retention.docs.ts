import { EXAMPLE_URN, type RouteDocs } from '@stratalog/http';

export const APPLY_RETENTION: RouteDocs = {
  group: 'Write',
  summary: 'Erase old values now',
  description: `Applies the retention policies to a page of all aspects, ordered by urn and name, or to the aspects of one entity. The catalog does so by itself: with
each write for the aspect that is written, and by a clock for all. The latest value of an aspect is never erased.`,
  body: {
    type: 'object',
    properties: {
      start: {
        type: 'integer',
        minimum: 0,
        default: 0,
        description: 'How many aspects are passed over first.',
      },
      count: {
        type: 'integer',
        minimum: 0,
        maximum: 10_000,
        default: 100,
        description: 'How many aspects are looked at.',
      },
      attemptWithVersion: {
        type: 'integer',
        minimum: 0,
        default: 2,
        description: 'Aspects whose newest version has a lower number are left as they are.',
      },
      aspectName: { type: 'string', description: 'Only aspects of this name.' },
      urn: { type: 'string', description: 'Only aspects of this entity.' },
    },
  },
  answer: {
    description:
      'What was asked and what was done, for people: aspects looked at, aspects cut, versions erased.',
    schema: { type: 'string' },
  },
  examples: [{ title: 'One entity', body: { urn: EXAMPLE_URN } }],
};

import { JSON_OBJECT, defineRoute } from '@stratalog/http';
import * as z from 'zod';
import { GROUP, ROUTE, TEXT, TEXTS, answer, at, ofSubject, subject } from './registry-route';

export const REGISTRY_ROOT = defineRoute({
  ...ROUTE,
  path: ['schema-registry/api', 'schema-registry'],
  docs: {
    group: GROUP,
    summary: 'Check that the registry is up',
    description: 'Producers on Kafka use this address. Every path also works without `/api`.',
    answer: answer('An empty object.', JSON_OBJECT),
    examples: [{ title: 'The root' }],
  },
});

export const LIST_TYPES = defineRoute({
  ...ROUTE,
  path: at('schemas/types'),
  docs: {
    group: GROUP,
    summary: 'List the types of schemas',
    answer: answer('`AVRO` alone.', TEXTS),
    examples: [{ title: 'All types' }],
  },
});

export const LIST_CONTEXTS = defineRoute({
  ...ROUTE,
  path: at('contexts'),
  docs: {
    group: GROUP,
    summary: 'List the contexts',
    answer: answer('One context, called `.`.', TEXTS),
    examples: [{ title: 'All contexts' }],
  },
});

export const READ_COMPATIBILITY = defineRoute({
  ...ROUTE,
  path: at('config', 'config/:subject'),
  parameters: z.object({ subject: subject.optional() }),
  docs: {
    group: GROUP,
    summary: 'Read the compatibility rule',
    answer: answer(
      '`FORWARD`: the previous schema, here the catalog’s own, can read the records.',
      z.object({ compatibilityLevel: TEXT }),
    ),
    examples: [ofSubject],
  },
});

export const SET_COMPATIBILITY = defineRoute({
  ...ROUTE,
  method: 'PUT',
  path: at('config', 'config/:subject'),
  parameters: z.object({ subject: subject.optional() }),
  body: z.object({ compatibility: z.enum(['FORWARD']).describe('The rule.') }),
  docs: {
    group: GROUP,
    summary: 'Confirm the compatibility rule',
    description: 'The rule is fixed. Setting the current rule succeeds; any other rule is rejected.',
    answer: answer('The rule.', z.object({ compatibility: TEXT })),
    rejections: { 422: 'The request asks for another rule (42203).' },
    examples: [{ ...ofSubject, body: { compatibility: 'FORWARD' } }],
  },
});

export const READ_MODE = defineRoute({
  ...ROUTE,
  path: at('mode', 'mode/:subject'),
  parameters: z.object({ subject: subject.optional() }),
  docs: {
    group: GROUP,
    summary: 'Read whether registration is open',
    answer: answer('`READWRITE`.', z.object({ mode: TEXT })),
    examples: [ofSubject],
  },
});

/** Newer clients first try paths of newer registries, and continue after a 404. */
export const UNKNOWN_PATH = defineRoute({ ...ROUTE, method: 'ALL', path: at('*') });

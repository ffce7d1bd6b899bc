import { defineRoute, type ValueSchema } from '@stratalog/http';

const ROUTE = { app: 'query', access: 'public' } as const;

const TEXT: ValueSchema = { type: 'string' };

export const READ_HEALTH = defineRoute({
  ...ROUTE,
  path: 'health',
  docs: {
    group: 'Server',
    summary: 'Ask whether the catalog is of use',
    answer: {
      description: 'Every stage is of use.',
      schema: {
        type: 'object',
        properties: {
          status: { type: 'string', enum: ['ready', 'starting', 'degraded', 'stopping'] },
          stages: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                name: TEXT,
                state: { type: 'string', enum: ['running', 'starting', 'retrying', 'stopped'] },
                reason: { ...TEXT, description: 'Why it is not running.' },
              },
              required: ['name', 'state'],
            },
          },
          instances: {
            type: 'array',
            description: 'Of a distributed catalog: every process, wherever it runs.',
            items: {
              type: 'object',
              properties: {
                id: { ...TEXT, description: 'Another one for each start of a process.' },
                app: TEXT,
                roles: { type: 'array', items: TEXT, description: 'The stages that it runs.' },
                address: TEXT,
                host: TEXT,
                pid: { type: 'integer' },
                version: TEXT,
                status: { type: 'string', enum: ['ready', 'starting', 'degraded', 'stopping', 'lost'] },
                lag: {
                  type: 'object',
                  description: 'By role, how many records of its log are not applied yet.',
                  additionalProperties: { type: 'integer' },
                },
                seenMsAgo: { type: 'integer', description: 'How long ago the instance reported.' },
              },
              required: [
                'id',
                'app',
                'roles',
                'address',
                'host',
                'pid',
                'version',
                'status',
                'lag',
                'seenMsAgo',
              ],
            },
          },
        },
        required: ['status', 'stages'],
      },
    },
    answersAlso: { 503: 'A stage is not of use; the body says which.' },
    examples: [{ title: 'Health' }],
  },
});

export const READ_CONFIG = defineRoute({
  ...ROUTE,
  path: 'config',
  docs: {
    group: 'Server',
    summary: 'Ask what the catalog can do',
    description:
      'What clients of the interface ask first. Members that only clients of other servers need are there for their sake.',
    answer: {
      description: 'Versions and abilities.',
      schema: {
        type: 'object',
        properties: {
          baseUrl: { ...TEXT, description: 'The address that the catalog gives as its own.' },
          versions: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              properties: {
                version: TEXT,
                commit: { ...TEXT, description: 'Changes with the model and the calls.' },
              },
              required: ['version'],
            },
          },
          noCode: { ...TEXT, enum: ['true'] },
          retention: TEXT,
          timeZone: TEXT,
          statefulIngestionCapable: { type: 'boolean' },
          patchCapable: { type: 'boolean' },
          supportsImpactAnalysis: { type: 'boolean' },
          datasetUrnNameCasing: { type: 'boolean' },
          telemetry: { type: 'object' },
          managedIngestion: { type: 'object' },
          datahub: { type: 'object' },
          models: { type: 'object' },
        },
        required: ['noCode', 'versions', 'baseUrl'],
      },
    },
    examples: [{ title: 'Configuration' }],
  },
});

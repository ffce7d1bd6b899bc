import { defineRoute, type ValueSchema } from '@stratalog/http';

const ROUTE = { app: 'query', access: 'public' } as const;

const TEXT: ValueSchema = { type: 'string' };

const STATUS: ValueSchema = { type: 'string', enum: ['ready', 'starting', 'degraded', 'stopping'] };
const COUNT: ValueSchema = { type: 'integer' };
const STAGE = {
  name: TEXT,
  state: { type: 'string', enum: ['running', 'starting', 'retrying', 'stopped'] },
} as const;
const ROLE = { name: TEXT, status: { type: 'string', enum: ['ready', 'not-ready'] } } as const;

const listOfObjects = (
  properties: Readonly<Record<string, ValueSchema>>,
  required: readonly string[],
): ValueSchema => ({
  type: 'array',
  items: { type: 'object', properties, required: [...required] },
});

const CATALOG: ValueSchema = {
  ...listOfObjects({ name: TEXT, status: TEXT, instances: COUNT, lag: COUNT }, [
    'name',
    'status',
    'instances',
  ]),
  description:
    'Of a distributed catalog: the best status of each role, its live instances, and how many records of its log are not applied yet.',
};

export const READ_LIVENESS = defineRoute({
  ...ROUTE,
  path: 'health/live',
  docs: {
    group: 'Server',
    summary: 'Ask whether the process runs',
    description: 'Never waits for another server. A supervisor restarts a process that does not answer.',
    answer: {
      description: 'The process runs.',
      schema: {
        type: 'object',
        properties: { status: { type: 'string', enum: ['live'] } },
        required: ['status'],
      },
    },
    examples: [{ title: 'Liveness' }],
  },
});

export const READ_READINESS = defineRoute({
  ...ROUTE,
  path: 'health/ready',
  docs: {
    group: 'Server',
    summary: 'Ask whether the process can answer',
    description:
      'Each role of the process is ready while it has what it needs to do its work. A load balancer sends calls to processes of which a role is ready.',
    answer: {
      description: 'A role is ready.',
      schema: {
        type: 'object',
        properties: {
          status: ROLE.status,
          roles: listOfObjects(ROLE, ['name', 'status']),
          catalog: CATALOG,
        },
        required: ['status', 'roles'],
      },
    },
    answersAlso: { 503: 'No role is ready.' },
    examples: [{ title: 'Readiness' }],
  },
});

export const READ_HEALTH = defineRoute({
  ...ROUTE,
  path: 'health',
  docs: {
    group: 'Server',
    summary: 'Ask whether all of the catalog works',
    answer: {
      description: 'Every stage works.',
      schema: {
        type: 'object',
        properties: { status: STATUS, stages: listOfObjects(STAGE, ['name', 'state']), catalog: CATALOG },
        required: ['status', 'stages'],
      },
    },
    answersAlso: { 503: 'A stage does not work; the body says which.' },
    examples: [{ title: 'Health' }],
  },
});

export const READ_HEALTH_DETAILS = defineRoute({
  app: 'admin',
  access: 'administrative',
  path: 'operations/health',
  docs: {
    group: 'Server',
    summary: 'Ask why the catalog does not work',
    description:
      'As `GET /health` and `GET /health/ready`, with reasons, and with the processes of a distributed catalog.',
    answer: {
      description: 'Always 200: the members say what works.',
      schema: {
        type: 'object',
        properties: {
          status: STATUS,
          stages: listOfObjects({ ...STAGE, reason: { ...TEXT, description: 'Why it is not running.' } }, [
            'name',
            'state',
          ]),
          roles: listOfObjects(
            { ...ROLE, reason: { ...TEXT, description: 'What it needs and does not have.' } },
            ['name', 'status'],
          ),
          instances: {
            ...listOfObjects(
              {
                id: { ...TEXT, description: 'Another one for each start of a process.' },
                app: TEXT,
                roles: { type: 'array', items: TEXT, description: 'The stages that it runs.' },
                address: TEXT,
                host: TEXT,
                pid: COUNT,
                version: TEXT,
                status: { type: 'string', enum: ['ready', 'starting', 'degraded', 'stopping', 'lost'] },
                lag: {
                  type: 'object',
                  description: 'By role, how many records of its log are not applied yet.',
                  additionalProperties: COUNT,
                },
                seenMsAgo: { ...COUNT, description: 'How long ago the instance reported.' },
              },
              ['id', 'app', 'roles', 'address', 'host', 'pid', 'version', 'status', 'lag', 'seenMsAgo'],
            ),
            description: 'Of a distributed catalog: every process, wherever it runs.',
          },
        },
        required: ['status', 'stages', 'roles'],
      },
    },
    examples: [{ title: 'Details' }],
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

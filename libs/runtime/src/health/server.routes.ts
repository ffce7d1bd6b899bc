import { INT64, JSON_OBJECT, defineRoute } from '@stratalog/http';
import * as z from 'zod';

const ROUTE = { app: 'query', access: 'public' } as const;

const TEXT = z.string();

const STATUS = z.enum(['ready', 'starting', 'degraded', 'stopping']);
const COUNT = z.int();
const STAGE = { name: TEXT, state: z.enum(['running', 'starting', 'retrying', 'stopped']) };
const ROLE = { name: TEXT, status: z.enum(['ready', 'not-ready']) };

const CATALOG = z
  .array(
    z.object({
      name: TEXT,
      status: TEXT,
      instances: COUNT,
      lag: COUNT.optional(),
      isLagStale: z
        .literal(true)
        .optional()
        .describe('No live instance tells the lag: it is the last one known.'),
    }),
  )
  .describe(
    'Of a distributed catalog: the best status of each role, its live instances, and how many records of its log are not applied yet.',
  );

const INSTANCE = z.object({
  id: TEXT.describe('Another one for each start of a process.'),
  app: TEXT,
  roles: z.array(TEXT).describe('The stages that it runs.'),
  address: TEXT,
  host: TEXT,
  pid: COUNT,
  version: TEXT,
  status: z.enum(['ready', 'starting', 'degraded', 'stopping', 'lost']),
  lag: z.record(z.string(), COUNT).describe('By role, how many records of its log are not applied yet.'),
  seenMsAgo: COUNT.describe('How long ago the instance reported.'),
});

const LAG = z.object({
  stage: TEXT.describe('`writer` works on the log of proposals, all others on the log of changes.'),
  partition: COUNT,
  handled: INT64.describe('Number of the last record that the stage has handled.'),
  end: INT64.describe('Number of the last record of the log.'),
  records: COUNT.describe('Records that it has not handled.'),
  seconds: COUNT.describe('Time since the oldest of them was seen.'),
});

export const READ_LIVENESS = defineRoute({
  ...ROUTE,
  path: 'health/live',
  docs: {
    group: 'Server',
    summary: 'Ask whether the process runs',
    description: 'Never waits for another server. A supervisor restarts a process that does not answer.',
    answer: {
      description: 'The process runs.',
      schema: z.object({ status: z.enum(['live']) }),
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
      schema: z.object({
        status: ROLE.status,
        roles: z.array(z.object(ROLE)),
        catalog: CATALOG.optional(),
      }),
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
      schema: z.object({
        status: STATUS,
        stages: z.array(z.object(STAGE)),
        catalog: CATALOG.optional(),
      }),
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
      'As `GET /health` and `GET /health/ready`, with reasons, with the lag of each stage by partition, and with the processes of a distributed catalog.',
    answer: {
      description: 'Always 200: the members say what works.',
      schema: z.object({
        status: STATUS,
        stages: z.array(z.object({ ...STAGE, reason: TEXT.optional().describe('Why it is not running.') })),
        roles: z.array(
          z.object({ ...ROLE, reason: TEXT.optional().describe('What it needs and does not have.') }),
        ),
        lags: z
          .array(LAG)
          .describe(
            'How far each stage is in each partition of its log that has records, some seconds ago, wherever it runs.',
          ),
        instances: z
          .array(INSTANCE)
          .optional()
          .describe('Of a distributed catalog: every process, wherever it runs.'),
      }),
    },
    examples: [{ title: 'Details' }],
  },
});

export const READ_WORK_HISTORY = defineRoute({
  app: 'admin',
  access: 'administrative',
  path: 'operations/health/history',
  docs: {
    group: 'Server',
    summary: 'Ask what the catalog did in the last half hour',
    description:
      'Write rate, latency and lag in intervals, the oldest first. The process keeps them in memory, so they begin with its start. Requests are those of the process that answers; in a distributed catalog, of the `admin` app.',
    answer: {
      description: 'The intervals.',
      schema: z.object({
        intervalSeconds: COUNT,
        samples: z.array(
          z.object({
            time: INT64.describe('End of the interval, in epoch milliseconds.'),
            proposalsPerSecond: z
              .number()
              .optional()
              .describe(
                'Proposals that the writer applied. Absent in the first interval, and while the log does not answer.',
              ),
            requestsPerSecond: z.number().describe('Requests that the process answered.'),
            p50Millis: z
              .number()
              .optional()
              .describe('Duration that half of them did not exceed, at most a fifth too high.'),
            p95Millis: z.number().optional().describe('The same for 95 of 100.'),
            lag: z
              .record(z.string(), COUNT)
              .describe('By stage, the records of its log that were not handled at the end.'),
          }),
        ),
      }),
    },
    examples: [{ title: 'The last half hour' }],
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
      schema: z.object({
        baseUrl: TEXT.describe('The address that the catalog gives as its own.'),
        versions: z.record(
          z.string(),
          z.object({
            version: TEXT,
            commit: TEXT.optional().describe('Changes with the model and the calls.'),
          }),
        ),
        noCode: z.enum(['true']),
        retention: TEXT.optional(),
        timeZone: TEXT.optional(),
        statefulIngestionCapable: z.boolean().optional(),
        patchCapable: z.boolean().optional(),
        supportsImpactAnalysis: z.boolean().optional(),
        datasetUrnNameCasing: z.boolean().optional(),
        telemetry: JSON_OBJECT.optional(),
        managedIngestion: JSON_OBJECT.optional(),
        datahub: JSON_OBJECT.optional(),
        signIn: TEXT.optional().describe('Where people sign in in a browser; absent when they cannot.'),
        models: JSON_OBJECT.optional().describe('The models besides the shipped one, by name and version.'),
      }),
    },
    examples: [{ title: 'Configuration' }],
  },
});

const RESOURCE_METADATA = {
  answer: {
    description: 'The metadata.',
    schema: z.object({
      resource: TEXT.describe('The address that the tokens are for.'),
      authorization_servers: z
        .array(TEXT)
        .optional()
        .describe('The identity provider whose tokens are accepted; absent without one.'),
      scopes_supported: z.array(TEXT).optional().describe('The scopes of its tokens that give rights here.'),
      bearer_methods_supported: z.array(TEXT),
      resource_name: TEXT,
    }),
  },
  examples: [{ title: 'The metadata' }],
};

export const READ_RESOURCE_METADATA = defineRoute({
  ...ROUTE,
  path: '.well-known/oauth-protected-resource',
  docs: {
    group: 'Server',
    summary: 'Ask who issues tokens for the catalog',
    description: 'The metadata of a protected resource of OAuth (RFC 9728).',
    ...RESOURCE_METADATA,
  },
});

export const READ_MCP_METADATA = defineRoute({
  ...ROUTE,
  path: '.well-known/oauth-protected-resource/mcp',
  docs: {
    group: 'Server',
    summary: 'Ask who issues tokens for AI assistants',
    description: 'The same about `POST /mcp`, as its 401 names it.',
    ...RESOURCE_METADATA,
  },
});

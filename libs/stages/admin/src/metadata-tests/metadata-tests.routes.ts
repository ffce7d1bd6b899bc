import {
  JSON_OBJECT,
  JSON_VALUE,
  EXAMPLE_URN,
  MAX_QUERY_TEXT_BYTES,
  defineRoute,
  flag,
  text,
} from '@stratalog/http';
import { MAX_DEFINITION_BYTES } from '@stratalog/metadata-tests';
import * as z from 'zod';
import { TASK } from '../tasks/tasks.routes';
import { MAX_EVALUATED_ENTITIES } from './evaluate-tests';

const MAX_NAMED_TESTS = 1_000;
const MAX_SELECTED_ENTITIES = 10_000;
const MAX_SELECTED_TYPES = 200;
const MAX_URN_BYTES = 2_048;
const MAX_TYPE_BYTES = 200;

const ROUTE = { path: 'test', app: 'admin', access: 'administrative' } as const;

const named = z.array(text(MAX_URN_BYTES)).max(MAX_NAMED_TESTS).optional();

const SELECTION = {
  tests: named.describe(
    'Urns of the tests to evaluate; without them every test. Tests that do not exist are passed over.',
  ),
  testUrns: named.describe('The same as `tests`; both together are taken.'),
  push: flag()
    .default(false)
    .describe('True: the results are written to the aspect `testResults` of the entity.'),
  shouldPush: flag().default(false).describe('The same as `push`.'),
  dryRun: flag()
    .default(false)
    .describe(
      'True: nothing is written, whatever `push` says. The answer has `details`, with the patches that actions of the tests would write.',
    ),
  explain: flag().default(false).describe('True: the answer says of each test what it found, in `details`.'),
};

const TEXT = z.string();
const results = <Type extends string>(type: Type) =>
  z.array(z.object({ test: TEXT.describe('Urn of the test.'), type: z.enum([type]) }));

const FAILURE = z.object({
  rule: TEXT.describe('Place of the rule in the definition: `/rules/and/0`.'),
  property: TEXT.describe('The path of the rule.'),
  operator: TEXT.describe('Operator or quantifier of the rule.'),
  negated: z.boolean().optional().describe('True when the rule must not hold, and does.'),
  expected: z.array(JSON_VALUE).describe('The first ten values that the rule names, long ones cut.'),
  found: z.array(TEXT).describe('The first ten values of the property, long ones cut.'),
});

const PATCH = z.object({
  action: TEXT.describe(
    'Place of the action in the definition: `/actions/failing/0`; `/actions` for what no action says any longer.',
  ),
  aspect: TEXT.describe('The aspect that it writes.'),
  takesBack: z.boolean().optional().describe('True when it removes what the action added before.'),
  patch: z.array(JSON_OBJECT).describe('Operations of RFC 6902, as of a PATCH proposal.'),
  rejection: TEXT.optional().describe('Why the model does not allow the patch; then it is not written.'),
});

const DETAIL = z.object({
  test: TEXT.describe('Urn of the test.'),
  name: TEXT.optional().describe('Its name.'),
  outcome: z.enum(['passing', 'failing', 'notApplicable', 'error', 'unknown']),
  reason: TEXT.optional().describe('Why it could not be evaluated, or not be explained.'),
  failures: z.array(FAILURE).optional().describe('The rules that do not hold, up to 50.'),
  patches: z
    .array(PATCH)
    .optional()
    .describe('With `push`: what actions of the test wrote; with `dryRun`: what they would write.'),
  stopped: TEXT.optional().describe('Why actions of the test are not run, though its outcome is new.'),
});

const ANSWER = z.object({
  passing: results('SUCCESS'),
  failing: results('FAILURE'),
  details: z.array(DETAIL).optional().describe('With `explain`: every test that was considered.'),
});

const HEADERS = { 'X-Stratalog-Position': 'With `push`: position of the write.' };

export const EVALUATE = defineRoute({
  ...ROUTE,
  action: 'evaluate',
  parameters: z.object({ urn: text(MAX_URN_BYTES).describe('Urn of the entity.'), ...SELECTION }),
  docs: {
    group: 'Metadata tests',
    summary: 'Evaluate metadata tests for an entity',
    description: `Evaluates on the latest values of the store, not of an index. A test that is about other entities is in neither list. With \`push\` an
evaluation of every test replaces the results of the entity, and one of some tests replaces only theirs. What a test may say: \`docs/reference/metadata-tests.md\`.`,
    answer: { description: 'The tests that pass and fail.', schema: ANSWER, headers: HEADERS },
    rejections: { 404: 'The entity does not exist.' },
    examples: [
      { title: 'Every test', body: { urn: EXAMPLE_URN } },
      { title: 'Write the results, and say why', body: { urn: EXAMPLE_URN, push: true, explain: true } },
      { title: 'List what actions would write', body: { urn: EXAMPLE_URN, dryRun: true } },
    ],
  },
});

export const BATCH_EVALUATE = defineRoute({
  ...ROUTE,
  action: 'batchEvaluate',
  parameters: z.object({
    urns: z
      .array(text(MAX_URN_BYTES))
      .max(MAX_EVALUATED_ENTITIES)
      .describe(`Urns of the entities, at most ${String(MAX_EVALUATED_ENTITIES)}.`),
    ...SELECTION,
  }),
  docs: {
    group: 'Metadata tests',
    summary: 'Evaluate metadata tests for several entities',
    description:
      'As `evaluate`, for one entity after the other. If one of them does not exist, nothing is written.',
    answer: {
      description: 'The results by urn.',
      schema: z.object({ results: z.record(z.string(), ANSWER) }),
      headers: HEADERS,
    },
    rejections: { 404: 'An entity does not exist.' },
    examples: [{ title: 'One entity', body: { urns: [EXAMPLE_URN] } }],
  },
});

export const EVALUATE_ALL = defineRoute({
  ...ROUTE,
  action: 'evaluateAll',
  parameters: z.object({
    tests: SELECTION.tests,
    testUrns: SELECTION.testUrns,
    entityTypes: z
      .array(text(MAX_TYPE_BYTES))
      .max(MAX_SELECTED_TYPES)
      .optional()
      .describe('Only entities of these types; without them every type that has results.'),
    urns: z
      .array(text(MAX_URN_BYTES))
      .max(MAX_SELECTED_ENTITIES)
      .optional()
      .describe(
        `Only these entities, at most ${String(MAX_SELECTED_ENTITIES)}. Those that do not exist are passed over.`,
      ),
    query: text(MAX_QUERY_TEXT_BYTES)
      .optional()
      .describe(
        'Only entities that this search finds, in the language of `search`, once the index has everything that the store had when the task began. Soft-deleted ones are not found.',
      ),
    dryRun: flag()
      .optional()
      .describe('True: nothing is written; the outcome of the task says what would be.'),
  }),
  docs: {
    group: 'Metadata tests',
    summary: 'Evaluate metadata tests for all entities',
    description: `Starts a task that evaluates tests and writes the results, as \`evaluate\` does with \`push\`, and answers it at once. Its outcome has the number
of evaluated entities, of those that got other results, for each test how many pass, fail, and cannot be evaluated, and in \`patches\` how many its actions wrote. Results of tests that do not exist are taken away.
A repeated call answers the same task until it has ended.`,
    answer: { description: 'The task. Its progress counts entities.', schema: TASK },
    examples: [
      { title: 'Every test for every entity', body: {} },
      {
        title: 'One test for some types',
        body: { tests: ['urn:li:test:docs-example'], entityTypes: ['dataset'] },
      },
      { title: 'What would be written', body: { dryRun: true } },
      { title: 'What a search finds', body: { query: 'platform:postgres', entityTypes: ['dataset'] } },
    ],
  },
});

const TRIED = z.object({
  urn: TEXT.describe('Urn of the entity.'),
  outcome: DETAIL.shape.outcome,
  reason: DETAIL.shape.reason,
  failures: DETAIL.shape.failures,
});

export const TRY_DEFINITION = defineRoute({
  ...ROUTE,
  action: 'tryDefinition',
  parameters: z.object({
    definition: text(MAX_DEFINITION_BYTES).describe(
      'Text of a definition, as in `testInfo.definition.json`.',
    ),
    urns: z
      .array(text(MAX_URN_BYTES))
      .max(MAX_EVALUATED_ENTITIES)
      .default([])
      .describe(
        `Urns of the entities to evaluate it for, at most ${String(MAX_EVALUATED_ENTITIES)}. Those that do not exist are passed over.`,
      ),
  }),
  docs: {
    group: 'Metadata tests',
    summary: 'Try a definition before it is saved',
    description:
      'Checks the definition of a test as a write of `testInfo` does, and evaluates it for some entities. Nothing is written, and no action runs.',
    answer: {
      description: 'The faults of the definition; the results when it has none.',
      schema: z.object({
        faults: z.array(
          z.object({
            path: TEXT.describe('Place in the definition: `/rules/and/0/property`; empty for the whole.'),
            reason: TEXT.describe('What is wrong there.'),
          }),
        ),
        results: z.array(TRIED).describe('By entity, in the order of `urns`.'),
      }),
    },
    examples: [
      {
        title: 'Check and evaluate',
        body: {
          definition:
            '{"on":{"types":["dataset"]},"rules":[{"property":"ownership.owners.owner","operator":"exists"}]}',
          urns: [EXAMPLE_URN],
        },
      },
    ],
  },
});

export const TEST_SCHEMA = defineRoute({
  path: 'test/schema',
  app: 'admin',
  access: 'public',
  docs: {
    group: 'Metadata tests',
    summary: 'Get the JSON Schema of definitions',
    description:
      'The form of the text in `testInfo.definition.json`, for editors and pipelines. Paths and types of values depend on the model, and are checked when a test is saved.',
    answer: {
      description: 'A JSON Schema.',
      schema: JSON_OBJECT,
      contentTypes: ['application/schema+json'],
    },
    examples: [{ title: 'The schema' }],
  },
});

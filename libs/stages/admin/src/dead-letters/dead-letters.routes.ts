import { COUNT, content, defineRoute, flag, integer, oneOf, text, time } from '@stratalog/http';
import { DEAD_LETTER_CAUSES, DEAD_LETTER_STATES } from '@stratalog/domain';
import * as z from 'zod';

const ROUTE = { app: 'admin', access: 'administrative' } as const;
const MILLIS = z.int().describe('Epoch milliseconds.');

const PROPOSAL = z.object({
  entityType: z.string(),
  urn: z.string(),
  aspectName: z.string(),
  changeType: z.string(),
  value: z.string().optional().describe('The value; in a list its first 1,000 characters.'),
});

const FACTS = {
  id: z
    .string()
    .describe('Names the letter in other calls: partition and offset, and the log if it is not the own one.'),
  topic: z.string().optional().describe("The topic; absent for the catalog's own log."),
  partition: COUNT,
  offset: COUNT,
  cause: z
    .enum(DEAD_LETTER_CAUSES)
    .describe(
      'Why in one word: `invalid` does not fit the model, `conflict` does not fit what was stored, `failed` is a fault of the catalog.',
    ),
  reason: z.string().describe('Why the writer rejected it, the last time.'),
  paths: z.array(z.string()).optional().describe('The fields that the reason names.'),
  rejectedMillis: MILLIS.describe('When it was rejected first.'),
  lastRejectedMillis: MILLIS.describe('When it was rejected last: by a replay, if any.'),
  times: COUNT.describe('How often it was rejected.'),
  state: z.enum(DEAD_LETTER_STATES),
  waits: z.boolean().describe('True: the first start with a model that knows its aspect applies it.'),
  replayedMillis: MILLIS.optional().describe('When it was applied.'),
  discardedMillis: MILLIS.optional(),
  settledBy: z
    .string()
    .optional()
    .describe('Urn of the user who replayed or discarded it; absent when the catalog replayed it by itself.'),
  bytes: COUNT.describe('Its length.'),
  proposalCount: COUNT.optional().describe('Number of its proposals.'),
  proposals: z.array(PROPOSAL).optional().describe('The first 10 of them.'),
};

const LISTED = z.object({
  ...FACTS,
  beginning: z
    .string()
    .optional()
    .describe(
      'Its first bytes in base64, when it is larger than 16,384 bytes or could not be decoded; then `proposals` is absent.',
    ),
});

const WHOLE = z.object({
  ...FACTS,
  text: z
    .string()
    .optional()
    .describe(
      'What was rejected, up to 1 MB: a record as it came, or of one that was decoded the proposal as the catalog keeps it.',
    ),
  base64: z.string().optional().describe('The same in base64, when it is not text.'),
});
const ONE = { description: 'The dead letter.', schema: WHOLE };

const words = <Word extends string>(name: string, all: readonly Word[]) =>
  oneOf(all, (sent) => ({
    message: `Parameter '${name}' is ${JSON.stringify(sent)}, but must be one of ${all.join(', ')}`,
  })).optional();

const SELECTION = {
  topic: text(1_024).optional().describe('Only records of this topic.'),
  waiting: flag().optional().describe('True: only those that wait for a model; false: only the others.'),
  cause: words('cause', DEAD_LETTER_CAUSES).describe('Only those with this cause.'),
  reason: text(1_024).optional().describe('Only those whose reason contains this text.'),
  entityType: text(200).optional().describe('Only those with a proposal for this entity type.'),
  urn: text(1_024).optional().describe('Only those with a proposal for this entity.'),
  from: time().optional().describe('Only those that were first rejected at this time or later.'),
  to: time().optional().describe('Only those that were first rejected before this time.'),
};
const state = words('state', DEAD_LETTER_STATES).describe(
  'Only those in this state; an open one is neither replayed nor discarded.',
);
const letter = text(300).describe('Id of the dead letter, as the list has it.');
const force = flag()
  .default(false)
  .describe('True: also over something newer, and before an earlier letter of the same urn that is open.');
const dryRun = flag().default(true).describe('True: only counts the letters.');
const MATCHING = COUNT.describe('Number of open letters that are selected.');
const CHECKED = COUNT.describe("Number of them, the first 1,000, that were checked against today's model.");
const ACCEPTABLE = COUNT.describe('Number of these that the model accepts.');
const TASK_NAME = z
  .string()
  .optional()
  .describe('Name of the task that does it, for `GET /operations/tasks`; absent for a dry run.');

const NO_LETTER = { 404: 'There is no such dead letter, or it was deleted after its time.' };

export const LIST_DEAD_LETTERS = defineRoute({
  ...ROUTE,
  path: 'operations/deadLetters',
  parameters: z.object({
    ...SELECTION,
    state,
    start: integer({ minimum: 0, maximum: 100_000 }).default(0).describe('Number of dead letters to skip.'),
    count: integer({ minimum: 0, maximum: 200 }).default(20).describe('Number of dead letters to list.'),
    cursor: text(400).optional().describe('The `cursor` of a page: lists those after it.'),
  }),
  docs: {
    group: 'Operations',
    summary: 'List rejected proposals that were in the log',
    description:
      'Lists the newest first. The writer keeps a proposal that it must reject after it was logged, or a record that it cannot decode, with the reason. Letters that were replayed or discarded are kept for `STRATALOG_AUDIT_KEEP_DAYS`.',
    answer: {
      description: 'One page of dead letters.',
      schema: z.object({
        start: COUNT,
        count: COUNT.describe('Number of dead letters on this page.'),
        total: COUNT.describe('Number of dead letters on all pages.'),
        cursor: z.string().optional().describe('Asks for the next page; absent on a page that is not full.'),
        deadLetters: z.array(LISTED),
      }),
    },
    examples: [{ title: 'The last ones', parameters: { count: '10' } }],
  },
});

export const COUNT_DEAD_LETTERS = defineRoute({
  ...ROUTE,
  path: 'operations/deadLetters/counts',
  parameters: z.object({ ...SELECTION, state }),
  docs: {
    group: 'Operations',
    summary: 'Count dead letters by reason',
    description:
      "Reasons that differ in urns, quoted texts and numbers count together; at most 100 are told, the most frequent first. It also checks open letters against today's model, without writing.",
    answer: {
      description: 'The numbers.',
      schema: z.object({
        total: COUNT.describe('Number of selected letters.'),
        checked: COUNT.describe(
          "Number of open ones, the first 1,000, that were checked against today's model.",
        ),
        acceptable: ACCEPTABLE,
        reasons: z.array(
          z.object({
            cause: z.enum(DEAD_LETTER_CAUSES),
            reason: z.string().describe('The reason, with `…` for what differs.'),
            count: COUNT,
            oldestMillis: MILLIS.describe('When the first of them was rejected.'),
            newestMillis: MILLIS,
          }),
        ),
      }),
    },
    examples: [{ title: 'Of the open ones', parameters: { state: 'open' } }],
  },
});

export const SHOW_DEAD_LETTER = defineRoute({
  ...ROUTE,
  path: 'operations/deadLetters/:letter',
  parameters: z.object({ letter }),
  docs: {
    group: 'Operations',
    summary: 'Show a dead letter',
    answer: ONE,
    rejections: NO_LETTER,
    examples: [{ title: 'One of the own log', parameters: { letter: '0.1' } }],
  },
});

export const REPLAY_DEAD_LETTER = defineRoute({
  ...ROUTE,
  path: 'operations',
  action: 'replayDeadLetter',
  takesLargeBody: true,
  parameters: z.object({
    letter,
    force,
    proposal: content(
      z.object({
        entityType: z.string(),
        entityUrn: z.string(),
        aspectName: z.string(),
        changeType: z.string(),
        aspect: z.object({ value: z.string(), contentType: z.string().optional() }).optional(),
      }),
    )
      .optional()
      .describe(
        'A corrected proposal, as `ingestProposal` takes it, to apply instead; it needs the scope `admin`.',
      ),
  }),
  docs: {
    group: 'Operations',
    summary: 'Apply a dead letter',
    description:
      'Puts the proposal into the log again and waits for its commit, which settles the letter: of several calls one does. The author of the change is that of the proposal; of a corrected one it is the caller. A replay that is rejected again leaves the letter open, with the newer reason.',
    answer: ONE,
    rejections: {
      ...NO_LETTER,
      409: 'The letter is replayed or discarded already. Without `force` also: an aspect that it would overwrite was written after its rejection, or an earlier letter of the same urn is open.',
      422: 'The proposal is rejected again.',
    },
    examples: [{ title: 'One of the own log', body: { letter: '0.1' } }],
  },
});

export const DISCARD_DEAD_LETTER = defineRoute({
  ...ROUTE,
  path: 'operations',
  action: 'discardDeadLetter',
  parameters: z.object({ letter }),
  docs: {
    group: 'Operations',
    summary: 'Discard a dead letter',
    description: 'The letter stays listed for a time, and is never applied.',
    answer: ONE,
    rejections: { ...NO_LETTER, 409: 'The letter is replayed or discarded already.' },
    examples: [{ title: 'One of the own log', body: { letter: '0.2' } }],
  },
});

export const REPLAY_DEAD_LETTERS = defineRoute({
  ...ROUTE,
  path: 'operations',
  action: 'replayDeadLetters',
  parameters: z.object({ ...SELECTION, dryRun, force }),
  docs: {
    group: 'Operations',
    summary: 'Apply the selected dead letters',
    description:
      'A task replays the open letters that the call selects, those of one urn as they were logged. One that stays open holds the later ones of its urns, unless `force` is true. The outcome of the task counts `replayed`, `rejected`, `held` and `settled` ones: those that another call has replayed or discarded meanwhile.',
    answer: {
      description: 'The numbers, and the task.',
      schema: z.object({ matching: MATCHING, checked: CHECKED, acceptable: ACCEPTABLE, task: TASK_NAME }),
    },
    examples: [
      { title: 'Count what would be accepted now', body: { cause: 'unknown-aspect' } },
      { title: 'Replay it', body: { cause: 'unknown-aspect', dryRun: false } },
    ],
  },
});

export const DISCARD_DEAD_LETTERS = defineRoute({
  ...ROUTE,
  path: 'operations',
  action: 'discardDeadLetters',
  parameters: z.object({ ...SELECTION, dryRun }),
  docs: {
    group: 'Operations',
    summary: 'Discard the selected dead letters',
    description: 'A task discards the open letters that the call selects, up to the time of the call.',
    answer: {
      description: 'The number, and the task.',
      schema: z.object({ matching: MATCHING, task: TASK_NAME }),
    },
    examples: [
      { title: 'Count what would go', body: { cause: 'undecodable' } },
      { title: 'Discard it', body: { cause: 'undecodable', dryRun: false } },
    ],
  },
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stratalog/harness';
import { parse } from 'yaml';
import * as z from 'zod';

/** The kinds of queries, in the order of reports. */
export const QUERY_KINDS = [
  'exact-name',
  'word-order',
  'spelling',
  'number',
  'labels',
  'columns',
  'business-words',
  'abbreviations',
  'cut-words',
  'typos',
  'joined-words',
] as const;
export type QueryKind = (typeof QUERY_KINDS)[number];

const grade = z.union([z.literal(1), z.literal(2), z.literal(3)]);

const querySchema = z.strictObject({
  ask: z.string(),
  /** The entity type that is searched, or `all`. */
  in: z.string(),
  /** Display name of the entity that is meant. */
  name: z.string().optional(),
  /** Full name of the dataset that is meant. */
  path: z.string().optional(),
  /** Words that the entity is about. */
  words: z.string().optional(),
  column: z.string().optional(),
  tag: z.string().optional(),
  term: z.string().optional(),
  owner: z.string().optional(),
  /** Grades by the words of a concept, for queries in the words of descriptions. */
  answers: z.record(z.string(), grade).optional(),
});

const fileSchema = z.strictObject(
  Object.fromEntries(QUERY_KINDS.map((kind) => [kind, z.array(querySchema)])) as Record<
    QueryKind,
    z.ZodArray<typeof querySchema>
  >,
);

/** A query with the rule that judges its hits. */
export interface JudgedQuery extends z.output<typeof querySchema> {
  readonly kind: QueryKind;
}

/** Reads the queries. **Errors**: throws for a file of another form. */
export function readQueries(): readonly JudgedQuery[] {
  const text = readFileSync(join(ROOT, 'tools/relevance/queries.yaml'), 'utf8');
  const byKind = fileSchema.parse(parse(text));
  return QUERY_KINDS.flatMap((kind) => byKind[kind].map((query) => ({ kind, ...query })));
}

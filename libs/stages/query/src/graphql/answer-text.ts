import { GraphQLError, execute, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { Semaphore, currentCaller } from '@stratalog/concurrency';
import { CancelledError, StratalogError, type ErrorCode } from '@stratalog/domain';
import { withoutMiddle } from '@stratalog/http';
import type { EntityRegistry } from '@stratalog/registry';
import type { JsonObject, JsonOutputObject } from '@stratalog/json';
import type { CallScope, WireScope } from './call-scope';
import { Costs } from './costs';
import { EntityLoader } from './entity-loader';
import { EntityTypeNames } from './entity-type-names';
import { buildSchema } from './fields/build-schema';
import { Turns } from './fields/turns';
import type { GraphqlDeps } from './graphql-deps';
import { Texts } from './text/read-text';

export interface SentText {
  readonly query: string;
  readonly variables?: JsonObject | undefined;
  readonly operationName?: string | undefined;
}

/** The schema of a model, with what depends on it alone. */
export class ServedSchema {
  readonly names: EntityTypeNames;
  readonly schema: GraphQLSchema;
  readonly texts: Texts;

  constructor(registry: EntityRegistry) {
    this.names = new EntityTypeNames(registry);
    this.schema = buildSchema(this.names);
    this.texts = new Texts(this.schema);
  }
}

/** Queries of one text that run at a time. */
const QUERIES_AT_ONCE = 4;
/** Most faults that an answer names. */
const MAX_ERRORS = 20;

/** Errors that a caller fixes by another text; all others fail the call. */
const OF_TEXT: ReadonlySet<ErrorCode> = new Set([
  'invalid-request',
  'not-found',
  'mismatched-request',
  'unknown-names',
  'forbidden',
]);

/**
 * Answers a GraphQL text.
 *
 * **Shape**: `{data?, errors?}`, also when the text is wrong.
 *
 * **Errors**: those of the store and the indices that no other text would avoid.
 *
 * **Source**: `docs/wire-decisions.md`, GraphQL.
 */
export async function answerText(
  deps: GraphqlDeps & { readonly served: ServedSchema },
  { query, variables, operationName }: SentText,
  wire: WireScope,
): Promise<JsonOutputObject> {
  const { served } = deps;
  const costs = new Costs(deps.graphqlMaxReads);
  const left = currentCaller()?.disconnected;
  const leave = (): void => {
    costs.cancel(new CancelledError('The client went away'));
  };
  left?.addEventListener('abort', leave);
  try {
    const text = served.texts.read(query);
    if (text.kind === 'rejected') return { errors: text.errors.map(toOutput) };
    const queries = new Semaphore(QUERIES_AT_ONCE);
    const scope: CallScope = {
      ...wire,
      searched: (runQuery) => queries.run(() => wire.searched(runQuery), costs.ended),
      related: (runQuery) => queries.run(() => wire.related(runQuery), costs.ended),
      followed: (runQuery) => queries.run(() => wire.followed(runQuery), costs.ended),
      queries,
      deps,
      names: served.names,
      costs,
      turns: new Turns(),
      loader: new EntityLoader(deps, costs),
    };
    const result = execute({
      schema: served.schema,
      document: text.document,
      contextValue: scope,
      variableValues: variables,
      operationName,
    });
    return toAnswer(await Promise.race([result, costs.exceeded]));
  } catch (error) {
    if (isOfText(error)) return { errors: [toOutput(new GraphQLError(error.message))] };
    throw error;
  } finally {
    left?.removeEventListener('abort', leave);
    costs.end();
  }
}

function toAnswer({ data, errors = [] }: ExecutionResult): JsonOutputObject {
  for (const { originalError } of errors) {
    if (originalError !== undefined && !isOfAnswer(originalError)) throw originalError;
  }
  return {
    ...(data === undefined ? {} : { data: data as JsonOutputObject | null }),
    ...(errors.length === 0 ? {} : { errors: errors.slice(0, MAX_ERRORS).map(toOutput) }),
  };
}

/** How `graphql` begins the error of a stored value that lacks what the schema promises; the rest of the answer stands. */
const LACKS = 'Cannot return null for non-nullable field';

/** Errors that have a place in an answer. */
function isOfAnswer(error: Error): boolean {
  return isOfText(error) || error instanceof GraphQLError || error.message.startsWith(LACKS);
}

function isOfText(error: unknown): error is StratalogError {
  return error instanceof StratalogError && OF_TEXT.has(error.code);
}

function toOutput(error: GraphQLError): JsonOutputObject {
  const { message, ...rest } = error.toJSON();
  return { message: withoutMiddle(message), ...rest } as unknown as JsonOutputObject;
}

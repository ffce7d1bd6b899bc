import { stringifyJson, type JsonObject, type JsonOutputObject } from '@stratalog/json';
import type { CatalogClient } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';

/** Sends a GraphQL text. */
export function sendText(
  http: CatalogClient,
  query: string,
  variables: JsonOutputObject = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return http.post('/api/graphql', stringifyJson({ query, variables }), headers);
}

/**
 * Returns the data that a text asks for.
 *
 * **Errors**: rejects when the answer has errors, as the Python client does.
 */
export async function ask(
  http: CatalogClient,
  query: string,
  variables: JsonOutputObject = {},
): Promise<JsonObject> {
  const answer = await sendText(http, query, variables);
  const { data, errors } = answer.json as JsonObject;
  if (answer.status !== 200 || errors !== undefined) throw new Error(answer.body.slice(0, 2_000));
  return data as JsonObject;
}

/** Returns the messages of the errors of a text. */
export async function faultsOf(
  http: CatalogClient,
  query: string,
  variables: JsonOutputObject = {},
): Promise<readonly string[]> {
  const answer = await sendText(http, query, variables);
  if (answer.status !== 200) throw new Error(`${String(answer.status)} ${answer.body.slice(0, 500)}`);
  const { errors = [] } = answer.json as { readonly errors?: readonly { readonly message: string }[] };
  return errors.map(({ message }) => message);
}

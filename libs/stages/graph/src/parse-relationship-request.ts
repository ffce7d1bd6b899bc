import {
  EDGE_DIRECTIONS,
  InvalidRequestError,
  didYouMean,
  parseUrn,
  type EdgeDirection,
  type RelationshipRequest,
} from '@stratalog/model';

/** Reader of a request's query parameters. */
export interface Parameters {
  required(name: string): string;
  list(name: string): readonly string[] | undefined;
  optionalInteger(
    name: string,
    bounds: { readonly minimum: number; readonly maximum?: number },
  ): number | undefined;
}

const DEFAULT_COUNT = 100;
/** Largest page, in edges; a larger one would be megabytes. */
export const MAX_COUNT = 10_000;

/**
 * Parses the query of `GET /relationships`.
 *
 * **Errors**: `InvalidRequestError` that names the missing or wrong parameter.
 */
export function parseRelationshipRequest(parameters: Parameters): RelationshipRequest {
  return {
    urn: requiredUrn(parameters),
    direction: parseDirection(parameters.required('direction')),
    relationships: readTypes(parameters.list('types')),
    start: parameters.optionalInteger('start', { minimum: 0 }) ?? 0,
    count: parameters.optionalInteger('count', { minimum: 0, maximum: MAX_COUNT }) ?? DEFAULT_COUNT,
  };
}

/** Reads any well-formed urn: edges may lead to entities outside the model. */
export function requiredUrn(parameters: Pick<Parameters, 'required'>): string {
  const urn = parameters.required('urn');
  const parsed = parseUrn(urn);
  if ('fault' in parsed) throw new InvalidRequestError(`Invalid urn ${urn}: ${parsed.fault}`);
  return urn;
}

function parseDirection(text: string): EdgeDirection {
  const direction = EDGE_DIRECTIONS.find((each) => each === text);
  if (direction !== undefined) return direction;
  const near = didYouMean(text, EDGE_DIRECTIONS);
  throw new InvalidRequestError(
    `Parameter 'direction' is "${text}"; allowed: ${EDGE_DIRECTIONS.join(', ')}${near}`,
  );
}

function readTypes(list: readonly string[] | undefined): readonly string[] {
  if (list === undefined || list.length === 0) throw new InvalidRequestError("Parameter 'types' is required");
  return [...new Set(list)];
}

import {
  EDGE_DIRECTIONS,
  InvalidRequestError,
  didYouMean,
  parseUrn,
  type EdgeDirection,
  type RelationshipRequest,
} from '@stratalog/model';

/** What is asked of the query of a request. */
export interface Parameters {
  required(name: string): string;
  list(name: string): readonly string[] | undefined;
  optionalInteger(
    name: string,
    bounds: { readonly minimum: number; readonly maximum?: number },
  ): number | undefined;
}

const DEFAULT_COUNT = 100;
/** A page beyond this would be megabytes. */
export const MAX_COUNT = 10_000;

/**
 * The question that a call of `GET /relationships` asks.
 *
 * **Errors**: `InvalidRequestError` that names the parameter which is missing or wrong.
 */
export function parseRelationshipRequest(parameters: Parameters): RelationshipRequest {
  return {
    urn: requiredUrn(parameters),
    direction: directionOf(parameters.required('direction')),
    relationships: typesOf(parameters.list('types')),
    start: parameters.optionalInteger('start', { minimum: 0 }) ?? 0,
    count: parameters.optionalInteger('count', { minimum: 0, maximum: MAX_COUNT }) ?? DEFAULT_COUNT,
  };
}

/** Any urn that is well formed: edges may lead to entities that the model does not know. */
export function requiredUrn(parameters: Pick<Parameters, 'required'>): string {
  const urn = parameters.required('urn');
  const parsed = parseUrn(urn);
  if ('fault' in parsed) throw new InvalidRequestError(`Invalid urn ${urn}: ${parsed.fault}`);
  return urn;
}

function directionOf(text: string): EdgeDirection {
  const direction = EDGE_DIRECTIONS.find((each) => each === text);
  if (direction !== undefined) return direction;
  const near = didYouMean(text, EDGE_DIRECTIONS);
  throw new InvalidRequestError(
    `Parameter 'direction' is "${text}"; allowed: ${EDGE_DIRECTIONS.join(', ')}${near}`,
  );
}

function typesOf(list: readonly string[] | undefined): readonly string[] {
  if (list === undefined || list.length === 0) throw new InvalidRequestError("Parameter 'types' is required");
  return [...new Set(list)];
}

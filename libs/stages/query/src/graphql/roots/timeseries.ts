import { InvalidRequestError } from '@stratalog/domain';
import { inSlices } from '@stratalog/concurrency';
import { isJsonObject, parseInSteps, type JsonObject, type Steps } from '@stratalog/json';
import type { CallScope } from '../call-scope';
import { collectTimeseries } from '../../timeseries/read-timeseries';
import { AspectPart, type EntityRef } from '../fields/values';
import { toRange } from '../filters/to-range';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

export interface SentSeries {
  readonly startTimeMillis?: number | bigint | null;
  readonly endTimeMillis?: number | bigint | null;
  readonly limit?: number | null;
  readonly status?: string | null;
  readonly filter?: { readonly and: readonly unknown[] } | null;
}

/** Reads the latest values of a timeseries aspect. **Errors**: `InvalidRequestError` for a limit out of bounds, and for a filter. */
async function readValues(
  { deps, costs, queries }: CallScope,
  { urn }: EntityRef,
  aspectName: string,
  { startTimeMillis, endTimeMillis, limit, filter }: SentSeries,
): Promise<readonly JsonObject[]> {
  const wanted = limit ?? DEFAULT_LIMIT;
  if (wanted < 1 || wanted > MAX_LIMIT) {
    throw new InvalidRequestError(`limit must be from 1 to ${String(MAX_LIMIT)}`);
  }
  if ((filter?.and.length ?? 0) > 0) {
    throw new InvalidRequestError(
      `Stratalog serves no filter of ${aspectName} by GraphQL; POST /aspects?action=getTimeseriesAspectValues does`,
    );
  }
  const { fromMs, toMs } = toRange(startTimeMillis, endTimeMillis);
  costs.countQuery();
  const series = {
    urn,
    aspect: { name: aspectName },
    within: {
      ...(fromMs === undefined ? {} : { startMs: fromMs }),
      ...(toMs === undefined ? {} : { endMs: toMs }),
    },
    latestFirst: true,
    sort: undefined,
    filter: undefined,
    limit: wanted,
  };
  const values = await queries.run(() => collectTimeseries(deps.store, series), costs.ended);
  for (const { value } of values) costs.countLength(value.length);
  return inSlices(parseEach(values.map(({ value }) => value)));
}

function* parseEach(texts: readonly string[]): Steps<readonly JsonObject[]> {
  const objects: JsonObject[] = [];
  for (const text of texts) {
    const { value } = yield* parseInSteps(text);
    if (isJsonObject(value)) objects.push(value);
    yield;
  }
  return objects;
}

/** Reads the latest runs of an assertion, and counts how they ended. */
export async function readRunEvents(
  scope: CallScope,
  assertion: EntityRef,
  sent: SentSeries,
): Promise<object> {
  const values = await readValues(scope, assertion, 'assertionRunEvent', sent);
  const runs = values.filter(({ status }) => (sent.status ?? status) === status);
  const ended = (type: string): number =>
    runs.filter(({ result }) => isJsonObject(result) && result.type === type).length;
  return {
    total: runs.length,
    failed: ended('FAILURE'),
    succeeded: ended('SUCCESS'),
    runEvents: runs.map((value) => new AspectPart(assertion, value)),
  };
}

/** Reads the latest operations on a dataset. */
export async function readOperations(
  scope: CallScope,
  dataset: EntityRef,
  sent: SentSeries,
): Promise<readonly AspectPart[]> {
  const values = await readValues(scope, dataset, 'operation', sent);
  return values.map((value) => new AspectPart(dataset, value));
}

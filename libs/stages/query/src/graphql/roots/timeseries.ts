import { InvalidRequestError } from '@stratalog/domain';
import { isJsonObject, parseJson, type JsonObject } from '@stratalog/json';
import type { CallScope } from '../call-scope';
import { AspectPart, type EntityRef } from '../fields/values';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

export interface SentSeries {
  readonly startTimeMillis?: number | null;
  readonly endTimeMillis?: number | null;
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
  costs.countQuery();
  const within = {
    ...(startTimeMillis === undefined || startTimeMillis === null ? {} : { startMs: startTimeMillis }),
    ...(endTimeMillis === undefined || endTimeMillis === null ? {} : { endMs: endTimeMillis }),
  };
  const series = { urn, aspectName, within, latestFirst: true, limit: wanted };
  const page = await queries.run(() => deps.store.readTimeseries(series), costs.ended);
  return page.timeseriesValues.flatMap(({ value }) => {
    costs.countLength(value.length);
    const parsed = parseJson(value);
    return isJsonObject(parsed) ? [parsed] : [];
  });
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

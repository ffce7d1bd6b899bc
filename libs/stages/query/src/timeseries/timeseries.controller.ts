import { Controller, Inject, Req } from '@nestjs/common';
import {
  Action,
  Documented,
  actionParameters,
  type ActionParameters,
  type WireRequest,
} from '@stratalog/http';
import { didYouMean, timeRange, type JsonOutputObject } from '@stratalog/model';
import { parseDirection } from '../filters/filter-and-sort';
import { parseTimeseriesFilter } from './timeseries-filter';
import { READ_TIMESERIES } from './timeseries.docs';
import { QUERY_DEPS, type QueryDeps } from '../query-deps';
import type { Reject } from '../filters/read-criteria';
import { MAX_TIMESERIES_VALUES, readTimeseries, requireTimeseriesAspect } from './read-timeseries';

const TIME_FIELDS: ReadonlySet<string> = new Set(['timestampMillis', '@timestamp']);

/** Reads timeseries values. */
@Controller()
export class TimeseriesController {
  constructor(@Inject(QUERY_DEPS) private readonly deps: QueryDeps) {}

  @Documented(READ_TIMESERIES)
  @Action('aspects', 'getTimeseriesAspectValues')
  readTimeseries(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const parameters = actionParameters(request);
    const named = requireTimeseriesAspect(this.deps.registry, {
      urn: parameters.requiredString('urn'),
      entity: parameters.requiredString('entity'),
      aspect: parameters.requiredString('aspect'),
    });
    const limit =
      parameters.optionalInteger('limit', { minimum: 1, maximum: MAX_TIMESERIES_VALUES }) ??
      MAX_TIMESERIES_VALUES;
    return readTimeseries(this.deps, {
      ...named,
      within: timeRange(parameters.optionalLong('startTimeMillis'), parameters.optionalLong('endTimeMillis')),
      latestFirst: isLatestFirst(parameters),
      limit: parameters.optionalBoolean('latestValue') === true ? 1 : limit,
      filter: parseTimeseriesFilter(named.aspect, parameters.optionalObject('filter'), (path, reason) =>
        parameters.reject(path, reason),
      ),
    });
  }
}

/** Stores order timeseries values by timestamp only. */
function isLatestFirst(parameters: ActionParameters): boolean {
  const { field, order = 'DESCENDING' } = parameters.optionalObject('sort') ?? { field: 'timestampMillis' };
  if (typeof field !== 'string' || !TIME_FIELDS.has(field)) {
    const near = typeof field === 'string' ? didYouMean(field, TIME_FIELDS) : '';
    parameters.reject('sort/field', `only timestampMillis is supported${near}`);
  }
  const reject: Reject = (path, reason) => parameters.reject(path, reason);
  return parseDirection(order, 'sort/order', reject) === 'DESCENDING';
}

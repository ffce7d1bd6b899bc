import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input, type UseCase } from '@stratalog/http';
import { didYouMean, timeRange, type JsonObject, type JsonOutputObject } from '@stratalog/model';
import { parseDirection } from '../filters/filter-and-sort';
import { parseTimeseriesFilter } from './timeseries-filter';
import { READ_TIMESERIES } from './timeseries.routes';
import { readTimeseries } from './read-timeseries';
import { requireTimeseriesAspect } from './require-timeseries-aspect';

const TIME_FIELDS: ReadonlySet<string> = new Set(['timestampMillis', '@timestamp']);

/** Reads timeseries values. */
@Controller()
export class TimeseriesController {
  constructor(
    @Inject(requireTimeseriesAspect)
    private readonly requireAspect: UseCase<typeof requireTimeseriesAspect>,
    @Inject(readTimeseries) private readonly readValues: UseCase<typeof readTimeseries>,
  ) {}

  @Route(READ_TIMESERIES)
  readTimeseries(@Parameters() given: Input<typeof READ_TIMESERIES>): Promise<JsonOutputObject> {
    const named = this.requireAspect(given);
    return this.readValues({
      ...named,
      within: timeRange(given.startTimeMillis, given.endTimeMillis),
      latestFirst: isLatestFirst(given.sort),
      limit: given.latestValue ? 1 : given.limit,
      filter: parseTimeseriesFilter(named.aspect, given.filter, READ_TIMESERIES.reject),
    });
  }
}

/** Stores order timeseries values by timestamp only. */
function isLatestFirst({ field, order = 'DESCENDING' }: JsonObject = { field: 'timestampMillis' }): boolean {
  const { reject } = READ_TIMESERIES;
  if (typeof field !== 'string' || !TIME_FIELDS.has(field)) {
    const near = typeof field === 'string' ? didYouMean(field, TIME_FIELDS) : '';
    reject('sort/field', `only timestampMillis is supported${near}`);
  }
  return parseDirection(order, 'sort/order', reject) === 'DESCENDING';
}

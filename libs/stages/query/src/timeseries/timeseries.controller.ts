import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input, type UseCase } from '@stratalog/http';
import { timeRange } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { AspectType } from '@stratalog/registry';
import { parseTimeseriesFilter } from './timeseries-filter';
import { READ_TIMESERIES } from './timeseries.routes';
import { readTimeseries, type TimeseriesRequest } from './read-timeseries';
import { requireTimeseriesAspect } from './require-timeseries-aspect';
import { toTimeseriesField } from './timeseries-field';

/** Reads timeseries values. */
@Controller()
export class TimeseriesController {
  @Inject(requireTimeseriesAspect) private readonly requireTimeseriesAspect!: UseCase<
    typeof requireTimeseriesAspect
  >;
  @Inject(readTimeseries) private readonly readTimeseries!: UseCase<typeof readTimeseries>;

  @Route(READ_TIMESERIES)
  readValues(@Parameters() given: Input<typeof READ_TIMESERIES>): Promise<JsonOutputObject> {
    const named = this.requireTimeseriesAspect(given);
    return this.readTimeseries({
      ...named,
      within: timeRange(given.startTimeMillis, given.endTimeMillis),
      ...toOrder(named.aspect, given.sort),
      limit: given.latestValue ? 1 : given.limit,
      filter: parseTimeseriesFilter(named.aspect, given.filter ?? [], READ_TIMESERIES.reject),
    });
  }
}

const NEWEST_FIRST = { field: 'timestampMillis', order: 'DESCENDING' } as const;

/** Any field of a filter orders too. */
function toOrder(
  aspect: AspectType,
  { field: name, order }: NonNullable<Input<typeof READ_TIMESERIES>['sort']> = NEWEST_FIRST,
): Pick<TimeseriesRequest, 'latestFirst' | 'sort'> {
  const isDescending = order === 'DESCENDING';
  const field = toTimeseriesField(aspect, name);
  if ('fault' in field) return READ_TIMESERIES.reject('sort/field', field.fault);
  if (field.source === 'timestamp') return { latestFirst: isDescending, sort: undefined };
  return { latestFirst: true, sort: { field, isDescending } };
}

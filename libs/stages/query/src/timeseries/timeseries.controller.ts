import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input, type UseCase } from '@stratalog/http';
import { timeRange } from '@stratalog/domain';
import type { JsonObject, JsonOutputObject } from '@stratalog/json';
import type { AspectType } from '@stratalog/registry';
import { parseDirection } from '../filters/filter-and-sort';
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
      filter: parseTimeseriesFilter(named.aspect, given.filter, READ_TIMESERIES.reject),
    });
  }
}

/** Any field of a filter orders too. */
function toOrder(
  aspect: AspectType,
  sent: JsonObject = { field: 'timestampMillis' },
): Pick<TimeseriesRequest, 'latestFirst' | 'sort'> {
  const { reject } = READ_TIMESERIES;
  if (typeof sent.field !== 'string' || sent.field === '') return reject('sort/field', 'is required');
  const isDescending = parseDirection(sent.order ?? 'DESCENDING', 'sort/order', reject) === 'DESCENDING';
  const field = toTimeseriesField(aspect, sent.field);
  if ('fault' in field) return reject('sort/field', field.fault);
  if (field.source === 'timestamp') return { latestFirst: isDescending, sort: undefined };
  return { latestFirst: true, sort: { field, isDescending } };
}

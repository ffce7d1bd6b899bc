import { Body, Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input, type UseCase } from '@stratalog/http';
import type { JsonOutput, JsonOutputObject } from '@stratalog/json';
import { parseTimeseriesFilter } from '../timeseries/timeseries-filter';
import { requireAspectOfType } from '../timeseries/require-timeseries-aspect';
import { computeStatistics } from './compute-statistics';
import { parseTable } from './parse-statistics';
import { GET_TIMESERIES_STATS } from './statistics.routes';

/** Computes statistics of timeseries aspects. */
@Controller()
export class StatisticsController {
  @Inject(requireAspectOfType) private readonly requireAspectOfType!: UseCase<typeof requireAspectOfType>;
  @Inject(computeStatistics) private readonly computeStatistics!: UseCase<typeof computeStatistics>;

  @Route(GET_TIMESERIES_STATS)
  async getTimeseriesStats(
    @Parameters() given: Input<typeof GET_TIMESERIES_STATS>,
    @Body('filter') sentFilter: JsonOutput | undefined,
  ): Promise<JsonOutputObject> {
    const { filter = [], metrics, buckets } = given;
    const { reject } = GET_TIMESERIES_STATS;
    const { entityType, aspect } = this.requireAspectOfType({
      entity: given.entityName,
      aspect: given.aspectName,
    });
    const table = await this.computeStatistics({
      entityType,
      aspectName: aspect.name,
      table: parseTable(aspect, given, reject),
      filter: parseTimeseriesFilter(aspect, filter, reject),
    });
    return {
      entityName: entityType.name,
      aspectName: aspect.name,
      ...(given.filter === undefined || sentFilter === undefined ? {} : { filter: sentFilter }),
      aggregationSpecs: metrics,
      ...(buckets.length === 0 ? {} : { groupingBuckets: buckets }),
      table,
    };
  }
}

import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input, type UseCase } from '@stratalog/http';
import { timeRange, type TimeRange } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { readTime } from './read-time';
import { requireTimeZone } from '../statistics/require-time-zone';
import { queryOperations } from './query-operations';
import { queryUsage } from './query-usage';
import { computeRangeStart, type UsageTimeRange } from './time-ranges';
import { QUERY_OPERATIONS, QUERY_USAGE, QUERY_USAGE_RANGE } from './usage.routes';

/** Reads usage and operations of datasets. */
@Controller()
export class UsageController {
  @Inject(queryUsage) private readonly queryUsage!: UseCase<typeof queryUsage>;
  @Inject(queryOperations) private readonly queryOperations!: UseCase<typeof queryOperations>;
  @Inject(readTime) private readonly readTime!: UseCase<typeof readTime>;

  @Route(QUERY_USAGE)
  usage(@Parameters() given: Input<typeof QUERY_USAGE>): Promise<JsonOutputObject> {
    const { resource, duration, startTime, endTime } = given;
    const timeZone = requireTimeZone(given.timeZone, QUERY_USAGE.reject);
    return this.queryUsage({ resource, duration, timeZone, within: timeRange(startTime, endTime) });
  }

  @Route(QUERY_USAGE_RANGE)
  queryUsageRange(@Parameters() given: Input<typeof QUERY_USAGE_RANGE>): Promise<JsonOutputObject> {
    const { resource, duration, rangeFromEnd } = given;
    const timeZone = requireTimeZone(given.timeZone, QUERY_USAGE_RANGE.reject);
    return this.queryUsage({ resource, duration, timeZone, within: this.untilNow(rangeFromEnd) });
  }

  @Route(QUERY_OPERATIONS)
  operations(@Parameters() given: Input<typeof QUERY_OPERATIONS>): Promise<JsonOutputObject> {
    const { resource, duration, startTime, endTime, rangeFromEnd } = given;
    const timeZone = requireTimeZone(given.timeZone, QUERY_OPERATIONS.reject);
    if (rangeFromEnd !== undefined && (startTime ?? endTime) !== undefined)
      QUERY_OPERATIONS.reject('rangeFromEnd', 'stands in place of startTime and endTime');
    const within = rangeFromEnd === undefined ? timeRange(startTime, endTime) : this.untilNow(rangeFromEnd);
    return this.queryOperations({ resource, duration, timeZone, within });
  }

  private untilNow(range: UsageTimeRange): TimeRange {
    const nowMs = this.readTime();
    return { startMs: computeRangeStart(range, nowMs), endMs: nowMs };
  }
}

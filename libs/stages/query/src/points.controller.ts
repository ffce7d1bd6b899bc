import { Controller, Inject, Req } from '@nestjs/common';
import {
  Action,
  Documented,
  actionParameters,
  type ActionParameters,
  type WireRequest,
} from '@stratalog/http';
import { didYouMean, timeRange, type JsonOutputObject } from '@stratalog/model';
import { orderIn } from './narrowing';
import { pointFilterOf } from './point-filter';
import { READ_POINTS } from './points.docs';
import { QUERY_PARTS, type QueryParts } from './query-parts';
import type { Refuse } from './read-criteria';
import { MAX_POINTS, readPoints, timeseriesAspectNamed } from './read-points';

const TIME_FIELDS: ReadonlySet<string> = new Set(['timestampMillis', '@timestamp']);

/** Points of timeseries aspects. */
@Controller()
export class PointsController {
  constructor(@Inject(QUERY_PARTS) private readonly parts: QueryParts) {}

  @Documented(READ_POINTS)
  @Action('aspects', 'getTimeseriesAspectValues')
  readPoints(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const parameters = actionParameters(request);
    const named = timeseriesAspectNamed(this.parts.registry, {
      urn: parameters.requiredString('urn'),
      entity: parameters.requiredString('entity'),
      aspect: parameters.requiredString('aspect'),
    });
    const limit = parameters.optionalInteger('limit', { minimum: 1, maximum: MAX_POINTS }) ?? MAX_POINTS;
    return readPoints(this.parts, {
      ...named,
      within: timeRange(parameters.optionalLong('startTimeMillis'), parameters.optionalLong('endTimeMillis')),
      latestFirst: isLatestFirst(parameters),
      limit: parameters.optionalBoolean('latestValue') === true ? 1 : limit,
      filter: pointFilterOf(named.aspect, parameters.optionalObject('filter'), (path, reason) =>
        parameters.refuse(path, reason),
      ),
    });
  }
}

/** Points are kept in the order of their moments, and in no other. */
function isLatestFirst(parameters: ActionParameters): boolean {
  const { field, order = 'DESCENDING' } = parameters.optionalObject('sort') ?? { field: 'timestampMillis' };
  if (typeof field !== 'string' || !TIME_FIELDS.has(field)) {
    const near = typeof field === 'string' ? didYouMean(field, TIME_FIELDS) : '';
    parameters.refuse('sort/field', `only timestampMillis is supported${near}`);
  }
  const refuse: Refuse = (path, reason) => parameters.refuse(path, reason);
  return orderIn(order, 'sort/order', refuse) === 'DESCENDING';
}

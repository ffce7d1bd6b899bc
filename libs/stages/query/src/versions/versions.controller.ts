import { Controller, Get, Inject, Req } from '@nestjs/common';
import { Documented, queryParameters, urnOf, type QueryParameters, type WireRequest } from '@stratalog/http';
import { InvalidRequestError, type JsonOutputObject } from '@stratalog/model';
import { QUERY_DEPS, type QueryDeps } from '../query-deps';
import { readAspect, readAspectAt } from './read-aspect';
import { readVersions } from './read-versions';
import { READ_ASPECT } from './versions.docs';

const ORDERS = ['DESCENDING', 'ASCENDING'] as const;
const DEFAULT_COUNT = 100;
const MAX_COUNT = 1_000;
/** Each of these parameters selects a range. */
const RANGE = ['startVersion', 'endVersion', 'order', 'count'] as const;

/** Reads versions of single aspects: the reading routes of `/aspects`. */
@Controller()
export class VersionsController {
  constructor(@Inject(QUERY_DEPS) private readonly deps: QueryDeps) {}

  @Documented(READ_ASPECT)
  @Get('aspects/:urn')
  readAspect(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const query = queryParameters(request);
    const urn = urnOf(request);
    const aspectName = query.required('aspect');
    const version = query.optionalLong('version');
    const asOf = query.optionalLong('asOf', { minimum: 0 });
    if (RANGE.some((name) => query.has(name))) {
      rejectBoth(query, ['version', 'asOf'], 'a range of versions');
      return readVersions(this.deps, {
        urn,
        aspectName,
        startVersion: query.optionalLong('startVersion', { minimum: 1 }) ?? 1,
        endVersion: query.optionalLong('endVersion', { minimum: 0 }) ?? 0,
        newestFirst: query.atMostOne('order', ORDERS) !== 'ASCENDING',
        count: query.optionalInteger('count', { minimum: 1, maximum: MAX_COUNT }) ?? DEFAULT_COUNT,
      });
    }
    if (asOf === undefined) return readAspect(this.deps, urn, aspectName, version ?? 0);
    // Clients send version 0 with every read.
    if (version !== undefined && version !== 0) rejectBoth(query, ['version'], 'asOf');
    return readAspectAt(this.deps, urn, aspectName, asOf);
  }
}

/** Rejects parameters that contradict the selected kind of read. */
function rejectBoth(query: QueryParameters, names: readonly string[], selected: string): void {
  const other = names.find((name) => query.has(name));
  if (other !== undefined) throw new InvalidRequestError(`Parameter '${other}' does not go with ${selected}`);
}

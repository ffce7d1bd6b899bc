import { Controller, Get, Inject, Req } from '@nestjs/common';
import { Documented, queryParameters, urnOf, type QueryParameters, type WireRequest } from '@stratalog/http';
import { InvalidRequestError, type JsonOutputObject } from '@stratalog/model';
import { QUERY_DEPS, type QueryDeps } from '../query-parts';
import { readAspect, readAspectAt } from './read-aspect';
import { readVersions } from './read-versions';
import { READ_ASPECT } from './versions.docs';

const ORDERS = ['DESCENDING', 'ASCENDING'] as const;
const DEFAULT_COUNT = 100;
const MAX_COUNT = 1_000;
/** Any of these asks for a range. */
const RANGE = ['startVersion', 'endVersion', 'order', 'count'] as const;

/** Versions of single aspects: the reading routes of `/aspects`. */
@Controller()
export class VersionsController {
  constructor(@Inject(QUERY_DEPS) private readonly parts: QueryDeps) {}

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
      return readVersions(this.parts, {
        urn,
        aspectName,
        startVersion: query.optionalLong('startVersion', { minimum: 1 }) ?? 1,
        endVersion: query.optionalLong('endVersion', { minimum: 0 }) ?? 0,
        newestFirst: query.atMostOne('order', ORDERS) !== 'ASCENDING',
        count: query.optionalInteger('count', { minimum: 1, maximum: MAX_COUNT }) ?? DEFAULT_COUNT,
      });
    }
    if (asOf === undefined) return readAspect(this.parts, urn, aspectName, version ?? 0);
    // Clients name version 0 with every read.
    if (version !== undefined && version !== 0) rejectBoth(query, ['version'], 'asOf');
    return readAspectAt(this.parts, urn, aspectName, asOf);
  }
}

/** Parameters that ask for something else than what is asked for already. */
function rejectBoth(query: QueryParameters, names: readonly string[], besides: string): void {
  const other = names.find((name) => query.has(name));
  if (other !== undefined) throw new InvalidRequestError(`Parameter '${other}' does not go with ${besides}`);
}

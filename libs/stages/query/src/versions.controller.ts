import { Controller, Get, Inject, Req } from '@nestjs/common';
import { Documented, queryParameters, urnOf, type WireRequest } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import { QUERY_PARTS, type QueryParts } from './query-parts';
import { readAspect } from './read-aspect';
import { READ_ASPECT } from './versions.docs';

/** Versions of single aspects: the reading routes of `/aspects`. */
@Controller()
export class VersionsController {
  constructor(@Inject(QUERY_PARTS) private readonly parts: QueryParts) {}

  @Documented(READ_ASPECT)
  @Get('aspects/:urn')
  readAspect(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const query = queryParameters(request);
    return readAspect(
      this.parts,
      urnOf(request),
      query.required('aspect'),
      query.optionalInteger('version') ?? 0,
    );
  }
}

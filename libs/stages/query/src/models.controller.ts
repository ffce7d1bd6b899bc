import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import { queryParameters, type WireRequest } from '@stratalog/http';
import { InvalidRequestError, type JsonOutputObject } from '@stratalog/model';
import { jsonSchemaOf } from '@stratalog/registry';
import { aspectNamed, describeAspect, describeEntities, describeEntity } from './describe-model';
import { QUERY_PARTS, type QueryParts } from './entities.controller';

const SCHEMA_TYPE = 'application/schema+json';

/** What the model says, for tools. */
@Controller('models')
export class ModelsController {
  constructor(@Inject(QUERY_PARTS) private readonly parts: QueryParts) {}

  @Get('entities')
  entities(): JsonOutputObject {
    return describeEntities(this.parts.registry);
  }

  @Get('entities/:name')
  entity(@Param('name') name: string): JsonOutputObject {
    return describeEntity(this.parts.registry, name);
  }

  /** As a JSON Schema with `format=jsonSchema`, or when the caller accepts that type. */
  @Get('aspects/:name')
  aspect(@Param('name') name: string, @Req() request: WireRequest): JsonOutputObject {
    const { registry } = this.parts;
    const format = queryParameters(request).optional('format');
    if (format !== undefined && format !== 'jsonSchema') {
      throw new InvalidRequestError(`Parameter 'format' is "${format}"; allowed: jsonSchema`);
    }
    const accepts = request.headers.accept?.includes(SCHEMA_TYPE) === true;
    if (format === undefined && !accepts) return describeAspect(registry, name);
    return jsonSchemaOf(aspectNamed(registry, name));
  }
}

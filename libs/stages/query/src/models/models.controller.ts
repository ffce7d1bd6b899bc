import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { Documented, Public, queryParameters, type WireReply, type WireRequest } from '@stratalog/http';
import { InvalidRequestError, didYouMean, type JsonOutputObject } from '@stratalog/model';
import { buildJsonSchema } from '@stratalog/registry';
import { requireAspect, describeAspect, describeEntities, describeEntity } from './describe-model';
import { DESCRIBE_ASPECT, DESCRIBE_ENTITY, LIST_ENTITIES } from './models.docs';
import { QUERY_DEPS, type QueryDeps } from '../query-deps';

const SCHEMA_TYPE = 'application/schema+json';

/** The model, for tools. Public, like the pages of the documentation with the same content. */
@Controller('models')
export class ModelsController {
  constructor(@Inject(QUERY_DEPS) private readonly deps: QueryDeps) {}

  @Public()
  @Documented(LIST_ENTITIES)
  @Get('entities')
  entities(): JsonOutputObject {
    return describeEntities(this.deps.registry);
  }

  @Public()
  @Documented(DESCRIBE_ENTITY)
  @Get('entities/:name')
  entity(@Param('name') name: string): JsonOutputObject {
    return describeEntity(this.deps.registry, name);
  }

  /** Returns a JSON Schema for `format=jsonSchema`, or when the caller accepts that type. */
  @Public()
  @Documented(DESCRIBE_ASPECT)
  @Get('aspects/:name')
  aspect(
    @Param('name') name: string,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): JsonOutputObject {
    const { registry } = this.deps;
    void reply.header('vary', 'accept');
    const format = queryParameters(request).optional('format');
    if (format !== undefined && format !== 'jsonSchema') {
      const near = didYouMean(format, ['jsonSchema']);
      throw new InvalidRequestError(`Parameter 'format' is "${format}"; allowed: jsonSchema${near}`);
    }
    const accepts = request.headers.accept?.includes(SCHEMA_TYPE) === true;
    if (format === undefined && !accepts) return describeAspect(registry, name);
    const schema = buildJsonSchema(requireAspect(registry, name));
    void reply.header('content-type', SCHEMA_TYPE);
    return schema;
  }
}

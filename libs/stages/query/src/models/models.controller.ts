import { Controller, Inject, Req, Res } from '@nestjs/common';
import { Parameters, Route, type Input, type WireReply, type WireRequest } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import { buildJsonSchema } from '@stratalog/registry';
import { requireAspect, describeAspect, describeEntities, describeEntity } from './describe-model';
import { DESCRIBE_ASPECT, DESCRIBE_ENTITY, LIST_ENTITIES } from './models.routes';
import { QUERY_DEPS, type QueryDeps } from '../query-deps';

const SCHEMA_TYPE = 'application/schema+json';

/** The model, for tools. Public, like the pages of the documentation with the same content. */
@Controller()
export class ModelsController {
  constructor(@Inject(QUERY_DEPS) private readonly deps: QueryDeps) {}

  @Route(LIST_ENTITIES)
  entities(): JsonOutputObject {
    return describeEntities(this.deps.registry);
  }

  @Route(DESCRIBE_ENTITY)
  entity(@Parameters() { name }: Input<typeof DESCRIBE_ENTITY>): JsonOutputObject {
    return describeEntity(this.deps.registry, name);
  }

  /** Returns a JSON Schema for `format=jsonSchema`, or when the caller accepts that type. */
  @Route(DESCRIBE_ASPECT)
  aspect(
    @Parameters() { name, format }: Input<typeof DESCRIBE_ASPECT>,
    @Req() { headers }: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): JsonOutputObject {
    const { registry } = this.deps;
    void reply.header('vary', 'accept');
    const accepts = headers.accept?.includes(SCHEMA_TYPE) === true;
    if (format === undefined && !accepts) return describeAspect(registry, name);
    const schema = buildJsonSchema(requireAspect(registry, name));
    void reply.header('content-type', SCHEMA_TYPE);
    return schema;
  }
}

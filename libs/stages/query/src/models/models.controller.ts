import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import {
  buildAspectSchema,
  describeAspect,
  describeEntities,
  describeEntity,
  listSpecifications,
} from './describe-model';
import { DESCRIBE_ASPECT, DESCRIBE_ENTITY, LIST_ENTITIES } from './models.routes';
import { LIST_SPECIFICATIONS } from '../openapi/specifications.routes';

const SCHEMA_TYPE = 'application/schema+json';

/** The model, for tools. Public, like the pages of the documentation with the same content. */
@Controller()
export class ModelsController {
  @Inject(describeEntities) private readonly describeEntities!: UseCase<typeof describeEntities>;
  @Inject(describeEntity) private readonly describeEntity!: UseCase<typeof describeEntity>;
  @Inject(describeAspect) private readonly describeAspect!: UseCase<typeof describeAspect>;
  @Inject(buildAspectSchema) private readonly buildAspectSchema!: UseCase<typeof buildAspectSchema>;
  @Inject(listSpecifications) private readonly listSpecifications!: UseCase<typeof listSpecifications>;

  @Route(LIST_SPECIFICATIONS)
  specifications(@Parameters() page: Input<typeof LIST_SPECIFICATIONS>): JsonOutputObject {
    return this.listSpecifications(page);
  }

  @Route(LIST_ENTITIES)
  entities(): JsonOutputObject {
    return this.describeEntities();
  }

  @Route(DESCRIBE_ENTITY)
  entity(@Parameters() { name }: Input<typeof DESCRIBE_ENTITY>): JsonOutputObject {
    return this.describeEntity(name);
  }

  /** Returns a JSON Schema for `format=jsonSchema`, or when the caller accepts that type. */
  @Route(DESCRIBE_ASPECT)
  aspect(
    @Parameters() { name, format }: Input<typeof DESCRIBE_ASPECT>,
    @Req() { headers }: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): JsonOutputObject {
    void reply.header('vary', 'accept');
    const accepts = headers.accept?.includes(SCHEMA_TYPE) === true;
    if (format === undefined && !accepts) return this.describeAspect(name);
    const schema = this.buildAspectSchema(name);
    void reply.header('content-type', SCHEMA_TYPE);
    return schema;
  }
}

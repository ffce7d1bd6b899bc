import { Controller, Delete, Get, Module, Req, Res } from '@nestjs/common';
import {
  InvalidProposalError,
  NotCaughtUpError,
  RawJson,
  type JsonObject,
  type JsonOutput,
} from '@stratalog/model';
import { setPosition, waitForPosition } from '../response/position-headers';
import { Action, Administrative, Public } from '../routing/route.decorators';
import {
  actionParameters,
  actorOf,
  queryParameters,
  urnOf,
  type WireReply,
  type WireRequest,
} from '../request/wire';

/** Two controllers share the path `/entities`, as two stages do. */
@Controller()
class ReadController {
  @Get('entitiesV2/:urn')
  read(@Req() request: WireRequest): JsonOutput {
    return { urn: urnOf(request), aspects: queryParameters(request).list('aspects') ?? [] };
  }

  @Get('aspects/:urn')
  readAspect(@Req() request: WireRequest): JsonOutput {
    const query = queryParameters(request);
    return {
      urn: urnOf(request),
      aspect: query.required('aspect'),
      version: query.optionalInteger('version', { minimum: 0 }) ?? 0,
    };
  }

  @Get('relationships')
  relationships(@Req() request: WireRequest): JsonOutput {
    const query = queryParameters(request);
    return { urn: query.required('urn'), types: query.list('types') ?? [] };
  }

  @Delete('relationships')
  deleteRelationships(@Req() request: WireRequest): JsonOutput {
    return { deleted: queryParameters(request).required('urn') };
  }

  @Action('entities', 'search')
  search(@Req() request: WireRequest): JsonOutput {
    const parameters = actionParameters(request);
    const wanted = waitForPosition(request);
    if (wanted !== undefined && wanted.epoch > 1) throw new NotCaughtUpError('the index is at 1');
    return {
      input: parameters.requiredString('input'),
      count: parameters.optionalInteger('count', { minimum: 0, maximum: 1000 }) ?? 10,
      async: parameters.optionalBoolean('async') ?? false,
      actor: actorOf(request),
    };
  }

  @Get('health')
  @Public()
  health(): void {
    return;
  }
}

@Controller()
class WriteController {
  @Action('entities', 'echo')
  echo(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): JsonOutput {
    setPosition(reply, { storeId: '0123abcd', epoch: 1, seqs: new Map([[3, 7]]) });
    return { body: request.body as JsonObject, raw: new RawJson('{"big":12345678901234567890}') };
  }

  @Action('entities', 'ingest')
  ingest(): void {
    return;
  }

  @Action('entities', 'refuse')
  reject(): never {
    throw new InvalidProposalError('ownership: /owners/0/owner: not a urn');
  }

  @Action('entities', 'fail')
  async fail(): Promise<never> {
    return Promise.reject(
      Object.assign(new Error('password=secret in /srv/internal.ts'), { statusCode: 404 }),
    );
  }

  @Action('entities', 'failOddly')
  failOddly(): never {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- what a careless library may do
    throw 'a text';
  }

  @Action('operations', 'restoreIndices')
  @Administrative()
  restore(@Req() request: WireRequest): JsonOutput {
    return actorOf(request);
  }
}

@Module({ controllers: [ReadController, WriteController] })
export class SampleModule {}

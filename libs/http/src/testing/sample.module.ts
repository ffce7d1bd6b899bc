import { Controller, Module, Req, Res } from '@nestjs/common';
import { InvalidProposalError, NotCaughtUpError } from '@stratalog/domain';
import { RawJson, type JsonObject, type JsonOutput } from '@stratalog/json';
import * as z from 'zod';
import { touchEntities } from '../request/authorize-request';
import { flag, integer } from '../parameters/parameter-types';
import { Parameters } from '../request/parameters.decorator';
import { actorOf, type WireReply, type WireRequest } from '../request/wire';
import { setPosition, waitForPosition } from '../response/position-headers';
import { defineRoute } from '../routing/define-route';
import type { Input } from '../routing/route-types';
import { Route } from '../routing/route.decorators';

const urn = z.string();
const list = z.array(z.string()).default([]);
const APP = { app: 'query' } as const;
const ACTION = { ...APP, path: 'entities' } as const;

const READ = defineRoute({
  ...APP,
  path: 'entitiesV2/:urn',
  touches: ({ urn: touched }) => touchEntities([touched]),
  parameters: z.object({ urn, aspects: list }),
});
const READ_ASPECT = defineRoute({
  ...APP,
  path: 'aspects/:urn',
  parameters: z.object({ urn, aspect: z.string(), version: integer({ minimum: 0 }).default(0) }),
});
const RELATIONSHIPS = defineRoute({
  ...APP,
  path: 'relationships',
  parameters: z.object({ urn, types: list }),
});
const DELETE_RELATIONSHIPS = defineRoute({
  ...APP,
  method: 'DELETE',
  effect: 'destroys',
  path: 'relationships',
  parameters: z.object({ urn }),
});
const SEARCH = defineRoute({
  ...ACTION,
  action: 'search',
  parameters: z.object({
    input: z.string(),
    count: integer({ minimum: 0, maximum: 1000 }).default(10),
    async: flag().default(false),
  }),
});
const RESTORE = { ...APP, path: 'operations', action: 'restoreIndices', access: 'administrative' } as const;

/** Two controllers share the path `/entities`, as two stages do. */
@Controller()
class ReadController {
  @Route(READ)
  read(@Parameters() entity: Input<typeof READ>): JsonOutput {
    return entity;
  }

  @Route(READ_ASPECT)
  readAspect(@Parameters() aspect: Input<typeof READ_ASPECT>): JsonOutput {
    return aspect;
  }

  @Route(RELATIONSHIPS)
  relationships(@Parameters() query: Input<typeof RELATIONSHIPS>): JsonOutput {
    return query;
  }

  @Route(DELETE_RELATIONSHIPS)
  deleteRelationships(@Parameters() query: Input<typeof DELETE_RELATIONSHIPS>): JsonOutput {
    return { deleted: query.urn };
  }

  @Route(SEARCH)
  search(@Parameters() query: Input<typeof SEARCH>, @Req() request: WireRequest): JsonOutput {
    const wanted = waitForPosition(request);
    if (wanted !== undefined && wanted.epoch > 1) throw new NotCaughtUpError('the index is at 1');
    return { ...query, actor: actorOf(request) };
  }

  @Route(defineRoute({ ...APP, path: 'health', access: 'public' }))
  health(): void {
    return;
  }
}

@Controller()
class WriteController {
  @Route(defineRoute({ ...ACTION, action: 'echo' }))
  echo(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): JsonOutput {
    setPosition(reply, { storeId: '0123abcd', epoch: 1, seqs: new Map([[3, 7]]) });
    return { body: request.body as JsonObject, raw: new RawJson('{"big":12345678901234567890}') };
  }

  @Route(defineRoute({ ...ACTION, action: 'ingest' }))
  ingest(): void {
    return;
  }

  @Route(defineRoute({ ...ACTION, action: 'reject' }))
  reject(): never {
    throw new InvalidProposalError('ownership: /owners/0/owner: not a urn');
  }

  @Route(defineRoute({ ...ACTION, action: 'fail' }))
  async fail(): Promise<never> {
    return Promise.reject(
      Object.assign(new Error('password=secret in /srv/internal.ts'), { statusCode: 404 }),
    );
  }

  @Route(defineRoute({ ...ACTION, action: 'failOddly' }))
  failOddly(): never {
    // oxlint-disable-next-line typescript/only-throw-error -- what a careless library may do
    throw 'a text';
  }

  @Route(defineRoute({ ...APP, path: 'restore', writes: true }))
  restoreByGet(): void {
    return;
  }

  @Route(defineRoute(RESTORE))
  restore(@Req() request: WireRequest): JsonOutput {
    return actorOf(request);
  }
}

@Module({ controllers: [ReadController, WriteController] })
export class SampleModule {}

import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { createToken, listTokens, revokeToken, rotateToken } from './manage-tokens';
import { CREATE_TOKEN, LIST_TOKENS, REVOKE_TOKEN, ROTATE_TOKEN } from './tokens.routes';

/** Makes, rotates, revokes and lists tokens. */
@Controller()
export class TokensController {
  @Inject(createToken) private readonly createToken!: UseCase<typeof createToken>;
  @Inject(rotateToken) private readonly rotateToken!: UseCase<typeof rotateToken>;
  @Inject(revokeToken) private readonly revokeToken!: UseCase<typeof revokeToken>;
  @Inject(listTokens) private readonly listTokens!: UseCase<typeof listTokens>;

  @Route(CREATE_TOKEN)
  create(
    @Parameters() token: Input<typeof CREATE_TOKEN>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    forbidCaching(reply);
    return this.createToken(token, actorOf(request));
  }

  @Route(ROTATE_TOKEN)
  rotate(
    @Parameters() rotation: Input<typeof ROTATE_TOKEN>,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    forbidCaching(reply);
    return this.rotateToken(rotation);
  }

  @Route(REVOKE_TOKEN)
  revoke(@Parameters() { id }: Input<typeof REVOKE_TOKEN>): Promise<JsonOutputObject> {
    return this.revokeToken(id);
  }

  @Route(LIST_TOKENS)
  list(@Parameters() page: Input<typeof LIST_TOKENS>): Promise<JsonOutputObject> {
    return this.listTokens(page);
  }
}

/** The answer has a secret. */
function forbidCaching(reply: WireReply): void {
  void reply.header('cache-control', 'no-store');
}

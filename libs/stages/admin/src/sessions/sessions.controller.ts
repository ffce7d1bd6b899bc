import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  principalOf,
  readClientAddress,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { describeCaller, signOut } from './session';
import { BEGIN_SIGN_IN, FINISH_SIGN_IN, READ_SESSION, SIGN_OUT } from './sessions.routes';
import { beginSignIn, finishSignIn, type Redirect } from './sign-in';

/** Signs people in and out in a browser, and says who a caller is. */
@Controller()
export class SessionsController {
  @Inject(describeCaller) private readonly describeCaller!: UseCase<typeof describeCaller>;
  @Inject(beginSignIn) private readonly beginSignIn!: UseCase<typeof beginSignIn>;
  @Inject(finishSignIn) private readonly finishSignIn!: UseCase<typeof finishSignIn>;
  @Inject(signOut) private readonly signOut!: UseCase<typeof signOut>;

  @Route(READ_SESSION)
  read(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): Promise<JsonOutputObject> {
    void reply.header('cache-control', 'no-store');
    return this.describeCaller(principalOf(request));
  }

  @Route(BEGIN_SIGN_IN)
  async begin(
    @Parameters() { then }: Input<typeof BEGIN_SIGN_IN>,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<void> {
    redirect(reply, await this.beginSignIn(then));
  }

  @Route(FINISH_SIGN_IN)
  async finish(@Req() request: WireRequest, @Res({ passthrough: true }) reply: WireReply): Promise<void> {
    const { headers, originalUrl } = request;
    const query = originalUrl.slice(originalUrl.indexOf('?'));
    redirect(reply, await this.finishSignIn({ query, headers, clientAddress: readClientAddress(request) }));
  }

  @Route(SIGN_OUT)
  async end(
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    const cookie = await this.signOut(principalOf(request), readClientAddress(request));
    void reply.headers({ 'set-cookie': cookie, 'cache-control': 'no-store' });
    return {};
  }
}

function redirect(reply: WireReply, { address, cookies }: Redirect): void {
  void reply
    .code(302)
    .headers({ 'set-cookie': [...cookies], 'cache-control': 'no-store', location: address })
    .send();
}

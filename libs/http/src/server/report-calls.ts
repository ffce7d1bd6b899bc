import type { Principal } from '@stratalog/domain';
import type { FastifyInstance } from 'fastify';
import { hideSecrets } from '../access/access-token';
import { nameRoute } from '../request/route-name';
import { readClientAddress } from './client-address';

/** A call that was answered, for a log of accesses. */
export interface AnsweredCall {
  /** Method, path and action as documented: `POST /entities search`; the method alone when no route matches. */
  readonly call: string;
  /** As sent, without secrets; its first 500 characters. */
  readonly target: string;
  readonly status: number;
  readonly durationMs: number;
  /** Urn of the user on whose behalf the caller acts. */
  readonly actor: string;
  /** Address that the call came from. */
  readonly address: string;
}

const MAX_TARGET_LENGTH = 500;
/** A parameter whose name says that its value may be secret; an identity provider sends a `code` for a sign-in. */
const SECRET_PARAMETER =
  /([?&](?:code|[^=&]*(?:token|secret|password|credential|authorization)[^=&]*)=)[^&]*/gi;

/** Reports each call after its answer. `anonymous` is the caller of a call that was rejected before its caller was known. */
export function reportCalls(
  instance: FastifyInstance,
  onCall: (call: AnsweredCall) => void,
  anonymous: Principal,
): void {
  instance.addHook('onResponse', (request, reply, done) => {
    onCall({
      call: nameRoute(request) ?? request.method,
      target: toShown(request.originalUrl),
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      actor: (request.principal ?? anonymous).actor,
      address: readClientAddress(request),
    });
    done();
  });
}

function toShown(target: string): string {
  return hideSecrets(target).replace(SECRET_PARAMETER, '$1***').slice(0, MAX_TARGET_LENGTH);
}

export { ActionParameters } from './action-parameters';
export { AUTH_MODES, OPERATOR_URN, type Access, type AuthMode, type AuthOptions } from './authenticator';
export { createHttpApplication, type HttpApplicationOptions } from './create-http-application';
export { type FaultReport } from './error-responder';
export {
  LAG_HEADER,
  POSITION_HEADER,
  WAIT_FOR_HEADER,
  setIndexPosition,
  setPosition,
  waitForPosition,
} from './position-headers';
export { QueryParameters } from './query-parameters';
export { Action, Administrative, Public } from './route.decorators';
export { type IntegerBounds } from './to-integer';
export {
  actionParameters,
  actorOf,
  queryParameters,
  speaksProtocol2,
  urnOf,
  type WireReply,
  type WireRequest,
} from './wire';
export {
  DEFAULT_MAX_BODY_BYTES,
  createHttpAdapter,
  type HttpOptions,
  type WireAdapter,
} from './wire-adapter';
export { WireErrorFilter } from './wire-error.filter';

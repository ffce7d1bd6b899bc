export { ActionParameters } from './action-parameters';
export { AUTH_MODES, operatorUrn, type AuthMode } from './authenticator';
export { errorBody } from './error-answer';
export { createHttpApplication } from './create-http-application';
export { setIndexPosition, setPosition, waitForPosition } from './position-headers';
export { RegistryCall, RegistryError, type RegistryRefusal } from './registry-dialect';
export { Action, Administrative, Public } from './route.decorators';
export {
  actionParameters,
  actorOf,
  queryParameters,
  speaksProtocol2,
  urnOf,
  type WireReply,
  type WireRequest,
} from './wire';

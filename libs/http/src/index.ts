export { AUDIT_STAMP, EXAMPLE_URN, SENT_SYSTEM_METADATA, SYSTEM_METADATA, URN_IN_PATH } from './common-docs';
export { ActionParameters } from './action-parameters';
export { AUTH_MODES, needsToken, operatorUrn, type Access, type AuthMode } from './authenticator';
export { documentedRoutes, everyPath, type DocumentedRoute } from './documented-routes';
export { ConnectionErrors, type InjectedAnswer, type InjectedRequest } from './connection-errors';
export { endpointId } from './endpoint-id';
export { escapeHtml } from './escape-html';
export { isWriting } from './is-writing';
export { ERROR_HEADERS, errorBody } from './error-answer';
export { createHttpApplication, servedRoutes } from './create-http-application';
export { originForm } from './normalize-target';
export { OwnHosts } from './own-hosts';
export { setIndexPosition, setPosition, waitForPosition } from './position-headers';
export { QueryParameters } from './query-parameters';
export { REGISTRY_CONTENT_TYPE, RegistryCall, RegistryError, type RegistryRefusal } from './registry-dialect';
export { MAX_BATCH_ELEMENTS, MAX_QUERY_TEXT_BYTES } from './request-limits';
export { Action, Administrative, Documented, LargeBody, Public } from './route.decorators';
export {
  ROUTE_GROUPS,
  type AnswerDocs,
  type ExampleDocs,
  type ParameterDocs,
  type RouteDocs,
  type ValueSchema,
} from './route-docs';
export { type ServedRoute } from './route-table';
export { SECURITY_HEADERS } from './security-headers';
export { SERVER_OPTIONS } from './server-options';
export { contentOf, sendContent, type Content } from './send-content';
export {
  actionParameters,
  actorOf,
  largePartsOf,
  queryParameters,
  speaksProtocol2,
  unknownNamesOf,
  urnOf,
  type WireReply,
  type WireRequest,
} from './wire';
export { wantsPage } from './wants-page';
export { prefixOf } from './normalize-target';

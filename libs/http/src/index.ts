export {
  AUDIT_STAMP,
  EXAMPLE_URN,
  PROTOCOL_VERSION,
  SYSTEM_METADATA,
  sentSystemMetadata,
  urnInPath,
  WAIT,
  WAIT_FOR,
} from './routing/common-docs';
export { AUTH_MODES, needsToken, operatorUrn, type AuthMode } from './access/authenticator';
export { ProxyUsers, RELAYED_USER_HEADER, type ProxyUserOptions } from './access/users/proxy-users';
export { authorizeCall, touchEntities, touchNothing, touchTypes } from './request/authorize-request';
export { hideSecrets, mintToken } from './access/access-token';
export { TokenVerifier } from './access/token-verifier';
export { documentedRoutes, everyPath, type DocumentedRoute } from './routing/documented-routes';
export { listRoutes, type ListedRoute, type RouteList } from './routing/route-list';
export { isSafeAddress } from './access/users/fetch-keys-url';
export { formatCookie, formatSessionCookie, readCookie } from './access/session-cookie';
export {
  IdentityProvider,
  type IdentityProviderOptions,
  type SignInAttempt,
} from './access/users/identity-provider';
export {
  JWT_ALGORITHMS,
  JwtVerifier,
  type JwtOptions,
  type JwtUser,
  type ScopeRule,
} from './access/users/jwt-verifier';
export { CallLimits } from './access/call-limits';
export { ConnectionErrors, type InjectedAnswer, type InjectedRequest } from './connections/connection-errors';
export { namesType } from './request/accepts-json';
export { endpointId } from './routing/endpoint-id';
export { escapeHtml } from './response/escape-html';
export { ERROR_HEADERS, errorBody, withoutMiddle } from './response/error-answer';
export {
  createHttpApplication,
  servedRoutes,
  type HttpApplicationOptions,
} from './server/create-http-application';
export { forwardCall } from './request/forward-call';
export { forwardWrite, type WholeCatalog } from './request/forward-write';
export { originForm } from './request/normalize-target';
export { readClientAddress } from './server/client-address';
export { OwnHosts } from './access/own-hosts';
export { setAccepted } from './response/accepted';
export { setIndexPosition, setPosition, waitForPosition } from './response/position-headers';
export { setTraceparent } from './response/trace-header';
export { TASK_HEADER_DOCS, setTask } from './response/task-header';
export { REGISTRY_CONTENT_TYPE, RegistryError } from './response/registry-dialect';
export { MAX_BATCH_ELEMENTS, MAX_QUERY_TEXT_BYTES } from './request/request-limits';
export { Route } from './routing/route.decorators';
export { COUNT, INT64, JSON_OBJECT, JSON_VALUE } from './routing/answer-types';
export { defineRoute, type DefinedRoute } from './routing/define-route';
export { type AddressOf, type Input, type Output, type RoutesIn, type Sent } from './routing/route-types';
export {
  content,
  converted,
  elements,
  fail,
  flag,
  integer,
  listOf,
  listUpTo,
  long,
  members,
  oneOf,
  text,
  time,
  withValue,
  withoutValue,
} from './parameters/parameter-types';
export { parseParameters } from './parameters/parse-parameters';
export { describeSchema, type ValueSchema } from './parameters/value-schema';
export { Parameters } from './request/parameters.decorator';
export { ROUTE_GROUPS, type ExampleDocs, type ParameterDocs, type RouteDocs } from './routing/route-docs';
export { type ServedRoute } from './routing/route-table';
export { SECURITY_HEADERS } from './response/security-headers';
export { SERVER_OPTIONS } from './server/server-options';
export { endConnections } from './connections/end-connections';
export { limitConnections } from './connections/limit-connections';
export { SilentConnections } from './connections/silent-connections';
export { followTls, readTls, usesTls, type TlsFiles } from './connections/tls-certificate';
export { sendJson } from './response/send-json';
export { toContent, sendContent, type Content } from './response/send-content';
export {
  actorOf,
  findLargeParts,
  principalOf,
  speaksProtocol2,
  collectUnknownNames,
  type WireReply,
  type WireRequest,
} from './request/wire';
export { wantsPage } from './response/wants-page';
export { prefixOf } from './request/normalize-target';
export { provideUseCases, type UseCase } from './routing/use-case';

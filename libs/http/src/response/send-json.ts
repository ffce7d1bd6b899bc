import { REGISTRY_CONTENT_TYPE } from './registry-dialect';
import type { WireReply } from '../request/wire';

/**
 * Sends text that is JSON already, under the content type of the route's dialect unless the reply names a
 * type of its own.
 */
export function sendJson(reply: WireReply, text: string): void {
  const isRegistry = reply.request.routeOptions.config.dialect === 'schema-registry';
  const contentType = isRegistry ? REGISTRY_CONTENT_TYPE : 'application/json';
  // An own serializer keeps Fastify from parsing and extending the content type of each answer.
  if (!reply.hasHeader('content-type')) void reply.header('content-type', contentType);
  void reply.serializer(asItStands).send(text);
}

function asItStands(text: string): string {
  return text;
}

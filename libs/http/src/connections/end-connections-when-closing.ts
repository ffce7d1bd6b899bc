import type { FastifyInstance } from 'fastify';
import { SilentConnections } from './silent-connections';

/**
 * Makes each answer the last on its connection once the server closes, and ends connections without a request. Otherwise a call under way
 * would leave its connection open, and the server would not end before the client does.
 */
export function endConnectionsWhenClosing(instance: FastifyInstance): void {
  let isClosing = false;
  const silent = new SilentConnections(instance.server);
  instance.addHook('preClose', (done) => {
    isClosing = true;
    silent.end();
    done();
  });
  instance.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) void reply.header('connection', 'close');
    done(null, payload);
  });
}

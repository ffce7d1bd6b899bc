import type { FastifyInstance } from 'fastify';

/**
 * Makes each answer the last on its connection once the server closes. Otherwise a call under way would leave
 * its connection open, and the server would not end before the client does.
 */
export function endConnectionsWhenClosing(instance: FastifyInstance): void {
  let isClosing = false;
  instance.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  instance.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) void reply.header('connection', 'close');
    done(null, payload);
  });
}

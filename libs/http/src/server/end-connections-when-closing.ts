import type { FastifyInstance } from 'fastify';

/**
 * From the moment of closing on, each answer is the last on its connection. Otherwise a call that was under way then would leave
 * its connection open behind it, and the server would not end before the client does.
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

import { measure } from '@stratalog/concurrency';
import type { FastifyInstance } from 'fastify';
import { nameRoute } from '../request/route-name';

/** Requests that no route matches share one name, because clients choose their paths. */
const UNROUTED = 'none';

/** Measures each answer by its route, whose number is that of the catalog's calls. */
export function measureRequests(instance: FastifyInstance): void {
  instance.addHook('onResponse', (request, reply, done) => {
    const route = nameRoute(request) ?? UNROUTED;
    measure('request', { route, status: reply.statusCode, seconds: reply.elapsedTime / 1_000 });
    done();
  });
}

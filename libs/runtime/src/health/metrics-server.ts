import { once } from 'node:events';
import { createServer } from 'node:http';
import { SECURITY_HEADERS, SERVER_OPTIONS, type OwnHosts } from '@stratalog/http';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { Health } from './health';
import { listenOn } from '../environment/listen-on';

export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves `GET /metrics` for Prometheus on its own port, without a token. The metrics are the resources of the
 * process (memory, processor, event loop), `stratalog_stage_state{stage,state}`, which is 1 for the current
 * state of each stage, and `stratalog_clock_plausible`, which is 0 while the clock is not plausible.
 */
export async function startMetricsServer(
  host: string,
  port: number,
  health: Health,
  ownHosts: OwnHosts,
): Promise<MetricsServer> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const states = new Gauge({
    name: 'stratalog_stage_state',
    help: 'The state that each stage is in',
    labelNames: ['stage', 'state'],
    registers: [registry],
    collect: () => {
      states.reset();
      for (const { name, state } of health.report().stages) states.set({ stage: name, state }, 1);
    },
  });
  const plausible = new Gauge({
    name: 'stratalog_clock_plausible',
    help: 'Whether the clock can be believed: while it is 0, writes are refused and retention erases nothing',
    registers: [registry],
    collect: () => {
      plausible.set(health.report().stages.some(({ name }) => name === 'clock') ? 0 : 1);
    },
  });
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    try {
      ownHosts.rejectCrossSite(request.headers.host, server);
    } catch (error) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end((error as Error).message);
      return;
    }
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    void registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  const url = await listenOn(server, { host, port, setting: 'STRATALOG_METRICS_PORT' });
  return {
    url,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import { SECURITY_HEADERS, SERVER_OPTIONS, limitConnections, type OwnHosts } from '@stratalog/http';
import { createMetrics, type MetricsDeps } from './catalog-metrics';
import { listenOn } from '../environment/listen-on';

export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface MetricsOptions extends MetricsDeps {
  readonly host: string;
  readonly port: number;
  readonly ownHosts: OwnHosts;
}

/** Serves `GET /metrics` for Prometheus on its own port, without a token: the metrics of {@link createMetrics}. */
export async function startMetricsServer({
  host,
  port,
  ownHosts,
  ...deps
}: MetricsOptions): Promise<MetricsServer> {
  const { registry, stop: stopCounting } = createMetrics(deps);
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
  limitConnections(server, []);
  const url = await listenOn(server, { host, port, setting: 'STRATALOG_METRICS_PORT' });
  return {
    url,
    stop: async () => {
      stopCounting();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

import { setTimeout } from 'node:timers/promises';
import { Module, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  OwnHosts,
  createHttpApplication,
  operatorUrn,
  servedRoutes,
  type DocumentedRoute,
  type ServedRoute,
} from '@stratalog/http';
import type { NamedSubscription, OpenStage, Stage } from '@stratalog/ports';
import type { CatalogDeps, OpenDeps } from '../catalog/catalog-deps';
import { ConfigController, SERVER_CONFIG, type ServerConfig } from '../health/config.controller';
import { Health } from '../health/health';
import { HEALTH, HealthController, INSTANCES } from '../health/health.controller';
import type { Heartbeat } from '../health/heartbeat';
import { createHeartbeat } from './create-heartbeat';
import { LogConsumers } from '../logging/log-consumers';
import { listeningUrl } from '../environment/listening-url';
import type { Logger } from '../logging/logger';
import { openDistributed } from '../catalog/open-distributed';
import { openEmbedded } from '../catalog/open-embedded';
import { operatorToken } from '../settings/operator-token';
import { startMetricsServer, type MetricsServer } from '../health/metrics-server';
import type { Settings } from '../settings/settings';
import { unusableAddress } from '../environment/unusable-address';

export type CatalogStage = Stage<CatalogDeps, DynamicModule>;

export interface RunOptions {
  /** The program's name among the apps of a distributed catalog. */
  readonly app?: string;
  /** Distinguishes its starts, in log lines and among the instances. */
  readonly instance?: string;
  readonly settings: Settings;
  readonly stages: readonly CatalogStage[];
  /** The model folders that ship with the product. */
  readonly modelFolders: readonly string[];
  readonly logger: Logger;
  /** All routes of the catalog, in any app: rejections suggest them. */
  readonly routes?: readonly DocumentedRoute[];
}

export interface RunningCatalog {
  readonly url: string;
  /** The address of its metrics, when they are enabled. */
  readonly metricsUrl: string | undefined;
  readonly parts: CatalogDeps;
  /** Every call that it accepts. */
  readonly routes: readonly ServedRoute[];
  /** Resolves when every stage is ready. */
  readonly ready: Promise<void>;
  /** Calls `listener` when a required server has ended by itself. */
  onLost(listener: (reason: string) => void): void;
  /** Answers the requests under way, stops the stages, then the servers. */
  stop(): Promise<void>;
}

const READY_POLL_MS = 10;

@Module({})
class CatalogModule {}

/**
 * Starts the stages in this process. It listens at once, so that probes can read its health, and is ready
 * when `ready` resolves.
 */
export async function run(options: RunOptions): Promise<RunningCatalog> {
  const { settings, logger } = options;
  const openDeps = settings.profile === 'distributed' ? openDistributed : openEmbedded;
  const open = await openDeps(settings, options.modelFolders, logger);
  try {
    return await serve(options, open);
  } catch (error) {
    await open.close();
    throw error;
  }
}

async function serve(options: RunOptions, open: OpenDeps): Promise<RunningCatalog> {
  const { settings, stages, logger, routes = [] } = options;
  const opened = await Promise.all(stages.map(async (stage) => stage.open(open.parts)));
  const consumers = opened.flatMap((stage) => stage.consumers);
  const needsClock = opened.some((stage) => stage.needsClock === true);
  const health = new Health(listRoutes(stages, opened), consumers, needsClock ? open.parts.clock : undefined);
  // The address is known once the catalog listens.
  const served = { baseUrl: '' };
  const beating: { heartbeat?: Heartbeat | undefined } = {};
  const application = await createHttpApplication(
    rootModule(opened, { health, config: () => served, instances: () => beating.heartbeat?.instances() }),
    {
      auth: {
        mode: settings.auth,
        urnNamespace: settings.urnNamespace,
        tokens: [
          {
            token: settings.token ?? operatorToken(settings.dataDir),
            actor: operatorUrn(settings.urnNamespace),
          },
        ],
      },
      maxBodyBytes: settings.maxBodyBytes,
      queryTimeoutMs: settings.queryTimeoutMs,
      corsOrigins: settings.corsOrigins,
      ownHosts: new OwnHosts(settings.baseUrl),
      vendor: settings.vendor,
      isStrict: settings.isStrict,
      catalogRoutes: routes,
      onFault: ({ cause, ...report }) => {
        logger.error({ ...report, err: cause }, 'a request failed');
      },
    },
  );
  application.connectMicroservice({ strategy: new LogConsumers(consumers) }, { inheritAppConfig: false });
  const { url, metrics } = await listenBoth(application, settings, health);
  // The process survives a connection that the system does not hand over, for want of file handles.
  application.getHttpServer().on('error', (err: Error) => {
    logger.error({ err }, 'a connection could not be accepted');
  });
  served.baseUrl = settings.baseUrl ?? url;
  const stopping = new AbortController();
  const heartbeat = createHeartbeat(options, { open, consumers, health, url });
  beating.heartbeat = heartbeat;
  await heartbeat?.start();
  const ready = startConsumers(application, consumers, health, stopping.signal);
  return {
    url,
    metricsUrl: metrics === undefined ? undefined : `${metrics.url}/metrics`,
    parts: open.parts,
    routes: servedRoutes(application),
    ready,
    onLost: open.onLost,
    stop: async () => {
      health.enter('stopping');
      stopping.abort();
      await heartbeat?.stop();
      await ready.catch(() => undefined);
      try {
        await application.close();
      } finally {
        await metrics?.stop();
        await open.close();
      }
    },
  };
}

function listRoutes(stages: readonly CatalogStage[], opened: readonly OpenStage<DynamicModule>[]): string[] {
  return stages.flatMap(({ name }, at) => (opened[at]?.consumers.length === 0 ? [name] : []));
}

interface ProcessState {
  readonly health: Health;
  readonly config: () => ServerConfig;
  readonly instances: () => ReturnType<Heartbeat['instances']>;
}

function rootModule(
  opened: readonly OpenStage<DynamicModule>[],
  { health, config, instances }: ProcessState,
): DynamicModule {
  return {
    module: CatalogModule,
    imports: opened.flatMap(({ module }) => (module === undefined ? [] : [module])),
    controllers: [HealthController, ConfigController],
    providers: [
      { provide: HEALTH, useValue: health },
      { provide: INSTANCES, useValue: instances },
      { provide: SERVER_CONFIG, useValue: config },
    ],
  };
}

/** Listens for the routes, and for the metrics when they are enabled: both, or neither. */
async function listenBoth(
  application: NestFastifyApplication,
  settings: Settings,
  health: Health,
): Promise<{ readonly url: string; readonly metrics: MetricsServer | undefined }> {
  const { host, metricsPort } = settings;
  const url = await listen(application, settings);
  try {
    const isWanted = metricsPort !== undefined;
    return {
      url,
      metrics: isWanted
        ? await startMetricsServer(host, metricsPort, health, new OwnHosts(settings.baseUrl))
        : undefined,
    };
  } catch (error) {
    await application.close();
    throw error;
  }
}

async function listen(application: NestFastifyApplication, { host, port }: Settings): Promise<string> {
  try {
    await application.listen(port, host);
  } catch (error) {
    throw unusableAddress('STRATALOG_PORT', host, port, error as NodeJS.ErrnoException);
  }
  return listeningUrl(application.getHttpServer(), host);
}

/** Consumers may have to catch up after their start; `ready` waits until each of them is ready. */
async function startConsumers(
  application: NestFastifyApplication,
  consumers: readonly NamedSubscription[],
  health: Health,
  stopping: AbortSignal,
): Promise<void> {
  if (consumers.length > 0) await application.startAllMicroservices();
  health.enter('running');
  while (health.report().status !== 'ready') {
    await setTimeout(READY_POLL_MS, undefined, { signal: stopping });
  }
}

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
import { HealthController, INSTANCES } from '../health/health.controller';
import { createHeartbeat } from './create-heartbeat';
import { LogConsumers } from './log-consumers';
import { ProcessShutdown } from './process-shutdown';
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
  let created: CatalogProcess;
  try {
    created = await createProcess(options, open);
  } catch (error) {
    await open.close();
    throw error;
  }
  try {
    return await serve(options, open, created);
  } catch (error) {
    await created.application.close();
    throw error;
  }
}

/** The parts of a process that does not listen yet. Closing the application stops them and closes the servers. */
interface CatalogProcess extends ProcessState {
  readonly application: NestFastifyApplication;
  readonly consumers: readonly NamedSubscription[];
  readonly logConsumers: LogConsumers;
}

async function createProcess(options: RunOptions, open: OpenDeps): Promise<CatalogProcess> {
  const { settings, stages, logger, routes = [] } = options;
  const opened = await Promise.all(stages.map(async (stage) => stage.open(open.parts)));
  const consumers = opened.flatMap((stage) => stage.consumers);
  const logConsumers = new LogConsumers(consumers);
  const needsClock = opened.some((stage) => stage.needsClock === true);
  const health = new Health(listRoutes(stages, opened), consumers, needsClock ? open.parts.clock : undefined);
  const shutdown = new ProcessShutdown({ health, consumers: logConsumers, open });
  // The address is known once the catalog listens.
  const state: ProcessState = { health, shutdown, config: { baseUrl: '' } };
  const application = await createHttpApplication(rootModule(opened, state), {
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
  });
  return { ...state, application, consumers, logConsumers };
}

async function serve(
  options: RunOptions,
  open: OpenDeps,
  { application, consumers, logConsumers, health, shutdown, config }: CatalogProcess,
): Promise<RunningCatalog> {
  const { settings, logger } = options;
  const url = await listen(application, settings);
  // The process survives a connection that the system does not hand over, for want of file handles.
  application.getHttpServer().on('error', (err: Error) => {
    logger.error({ err }, 'a connection could not be accepted');
  });
  config.baseUrl = settings.baseUrl ?? url;
  const metrics = await openMetrics(settings, health);
  shutdown.metrics = metrics;
  const heartbeat = createHeartbeat(options, { open, consumers, health, url });
  shutdown.heartbeat = heartbeat;
  await heartbeat?.start();
  const ready = startConsumers(logConsumers, health, shutdown.signal);
  // A stop before that rejects it, and some callers do not wait for it.
  ready.catch(() => undefined);
  return {
    url,
    metricsUrl: metrics === undefined ? undefined : `${metrics.url}/metrics`,
    parts: open.parts,
    routes: servedRoutes(application),
    ready,
    onLost: open.onLost,
    stop: async () => {
      await application.close();
      shutdown.rejectFailed();
    },
  };
}

function listRoutes(stages: readonly CatalogStage[], opened: readonly OpenStage<DynamicModule>[]): string[] {
  return stages.flatMap(({ name }, at) => (opened[at]?.consumers.length === 0 ? [name] : []));
}

interface ProcessState {
  readonly health: Health;
  readonly shutdown: ProcessShutdown;
  readonly config: { baseUrl: string };
}

function rootModule(
  opened: readonly OpenStage<DynamicModule>[],
  { health, shutdown, config }: ProcessState,
): DynamicModule {
  return {
    module: CatalogModule,
    imports: opened.flatMap(({ module }) => (module === undefined ? [] : [module])),
    controllers: [HealthController, ConfigController],
    providers: [
      { provide: Health, useValue: health },
      { provide: INSTANCES, useValue: () => shutdown.heartbeat?.instances() },
      { provide: SERVER_CONFIG, useValue: (): ServerConfig => config },
      { provide: ProcessShutdown, useValue: shutdown },
    ],
  };
}

function openMetrics(
  { host, metricsPort, baseUrl }: Settings,
  health: Health,
): Promise<MetricsServer | undefined> {
  if (metricsPort === undefined) return Promise.resolve(undefined);
  return startMetricsServer(host, metricsPort, health, new OwnHosts(baseUrl));
}

async function listen(application: NestFastifyApplication, { host, port }: Settings): Promise<string> {
  try {
    await application.listen(port, host);
  } catch (error) {
    throw unusableAddress('STRATALOG_PORT', host, port, error as NodeJS.ErrnoException);
  }
  return listeningUrl(application.getHttpServer(), host);
}

/** Consumers may have to catch up after their start; resolves when each of them is ready. */
async function startConsumers(consumers: LogConsumers, health: Health, stopping: AbortSignal): Promise<void> {
  await consumers.start();
  stopping.throwIfAborted();
  health.enter('running');
  while (health.report().status !== 'ready') {
    await setTimeout(READY_POLL_MS, undefined, { signal: stopping });
  }
}

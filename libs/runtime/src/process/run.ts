import { setTimeout } from 'node:timers/promises';
import { Module, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  CallLimits,
  JwtVerifier,
  OwnHosts,
  RELAYED_USER_HEADER,
  createHttpApplication,
  endConnections,
  operatorUrn,
  servedRoutes,
  type HttpApplicationOptions,
  type ProxyUserOptions,
  type RouteList,
  type ServedRoute,
} from '@stratalog/http';
import { LogServer } from '@stratalog/log-transport';
import type { LogSubscriptions, NamedSubscription, Need, OpenStage, Stage } from '@stratalog/ports';
import type { CatalogDeps, OpenDeps } from '../catalog/catalog-deps';
import { computeCommit } from '../health/compute-commit';
import { SERVER_CONFIG, type ServerConfig } from '../health/config.controller';
import { FaultLog } from '../health/fault-log';
import { Health } from '../health/health';
import { INSTANCES, WORK_WATCH } from '../health/health.controller';
import { SERVER_CONTROLLERS } from '../health/server-controllers';
import { listLagged } from '../health/work/lag-reader';
import { Readiness, type RoleNeeds } from '../health/readiness';
import { WorkWatch } from '../health/work/work-watch';
import { createHeartbeat } from './create-heartbeat';
import { ProcessShutdown } from './process-shutdown';
import { listeningUrl } from '../environment/listening-url';
import { logBatches } from '../logging/log-batches';
import type { Logger } from '../logging/logger';
import { openDistributed } from '../catalog/open-distributed';
import { openEmbedded } from '../catalog/open-embedded';
import { operatorToken } from '../settings/operator-token';
import { writeAddress } from '../settings/write-address';
import { startMetricsServer, type MetricsServer } from '../health/metrics-server';
import { isOpenDefault, type Settings } from '../settings/settings';
import { unusableAddress } from '../environment/unusable-address';

interface StageDeps extends CatalogDeps {
  readonly subscriptions: LogSubscriptions;
}

export type CatalogStage = Stage<StageDeps, DynamicModule>;

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
  readonly routes?: RouteList;
}

export interface RunningCatalog {
  readonly url: string;
  /** The address of its metrics, when they are enabled. */
  readonly metricsUrl: string | undefined;
  readonly deps: CatalogDeps;
  /** Every call that it accepts. */
  readonly routes: readonly ServedRoute[];
  /** Resolves when every stage is ready. */
  readonly ready: Promise<void>;
  /** Calls `listener` when a required server has ended by itself. */
  onLost(listener: (reason: string) => void): void;
  /** Is not ready from now on, and still answers for the time that the settings give. */
  drain(): Promise<void>;
  /** Answers the requests under way, stops the stages, then the servers. */
  stop(): Promise<void>;
}

const READY_POLL_MS = 10;
const NO_ROUTES: RouteList = { routes: [], digest: '' };
/** The stage with the calls of operators. */
const OPERATORS_STAGE = 'admin';

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

/** The dependencies of a process that does not listen yet. Closing the application stops them and closes the servers. */
interface CatalogProcess extends ProcessState {
  readonly application: NestFastifyApplication;
  readonly consumers: readonly NamedSubscription[];
}

async function createProcess(options: RunOptions, open: OpenDeps): Promise<CatalogProcess> {
  const { settings, stages, logger, routes = NO_ROUTES } = options;
  const stopFailures: unknown[] = [];
  const logs = new LogServer(logBatches(open.deps, logger), (cause) => stopFailures.push(cause));
  const deps = { ...open.deps, subscriptions: logs };
  const opened = await Promise.all(stages.map(async (stage) => stage.open(deps)));
  const { logWatch } = open.deps;
  const needsLog = opened.some((stage) => stage.needsLog === true);
  const consumers = [
    ...opened.flatMap((stage) => stage.consumers),
    ...(needsLog && logWatch !== undefined ? [{ name: 'proposal-log', subscription: logWatch }] : []),
  ];
  logs.add(consumers);
  const needsClock = opened.some((stage) => stage.needsClock === true);
  const clock = needsClock ? open.deps.clock : undefined;
  const readiness = new Readiness({
    roles: opened.flatMap(listRoles),
    checks: open.checks,
    clockDoubt: () => open.deps.clock.doubt?.(),
  });
  const health = new Health(listRoutes(stages, opened), consumers, clock, () => readiness.roles());
  const shutdown = new ProcessShutdown({ health, readiness, open }, stopFailures);
  // The address is known once the catalog listens.
  const { registry } = open.deps;
  const models = registry.models.slice(options.modelFolders.length);
  const hasSignIn = settings.signIn !== undefined;
  const config: ProcessState['config'] = {
    baseUrl: '',
    commit: computeCommit(registry.fingerprint, routes.digest),
    models,
    hasSignIn,
    sdkWrites: settings.sdkWrites,
    ...(settings.jwt === undefined
      ? {}
      : { issuer: settings.jwt.issuer, tokenScopes: listTokenScopes(settings.jwt) }),
  };
  const state: ProcessState = { health, readiness, shutdown, config };
  const application = await createHttpApplication(rootModule(opened, state), {
    auth: {
      mode: settings.auth,
      guardsDestruction: !isOpenDefault(settings),
      policies: settings.policyMode,
      verifiers: [open.deps.tokenVerifier.verify, ...openJwt(settings)],
      proxyUsers: toProxyUsers(settings),
      users: open.deps.store,
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
    trustedProxies: settings.trustedProxies,
    ...(settings.tls === undefined
      ? {}
      : {
          tls: {
            files: settings.tls,
            onReload: (fault) => {
              reportTls(fault, logger);
            },
          },
        }),
    ...logCalls(settings, logger),
    limits: new CallLimits({ ...settings.limits, shared: open.callCounts }),
    vendor: settings.vendor,
    baseUrl: () => config.baseUrl,
    isStrict: settings.isStrict,
    catalogRoutes: routes.routes,
    audit: (call) =>
      open.deps.audit.append(call).catch((err: unknown) => {
        logger.error({ ...call, err }, 'a call could not be recorded for the audit');
      }),
    onFault: ({ cause, ...report }) => {
      logger.error({ ...report, err: cause }, 'a request failed');
    },
  });
  application.connectMicroservice({ strategy: logs });
  return { ...state, application, consumers };
}

function openJwt({ jwt, urnNamespace }: Settings): readonly JwtVerifier['verify'][] {
  return jwt === undefined ? [] : [new JwtVerifier({ ...jwt, urnNamespace }).verify];
}

/** The scopes of the identity provider that give rights here, by the usual claim. */
function listTokenScopes({ scopeRules }: NonNullable<Settings['jwt']>): readonly string[] {
  return scopeRules.flatMap(({ when }) => (when?.claim === 'scope' ? [when.value] : []));
}

/** Apps get the name from the catalog's own proxy, under a header that no client can send through it. */
function toProxyUsers({
  profile,
  proxyUsers,
  trustedProxies,
  urnNamespace,
}: Settings): ProxyUserOptions | undefined {
  if (proxyUsers === undefined) return undefined;
  const header = profile === 'distributed' ? RELAYED_USER_HEADER : proxyUsers.header;
  return { header, scopes: proxyUsers.scopes, proxies: trustedProxies, urnNamespace };
}

/** Each call is a line of the access log, or else one for those who look for a fault in detail. */
function logCalls({ accessLog }: Settings, logger: Logger): Pick<HttpApplicationOptions, 'onCall'> {
  const level = accessLog ? 'info' : 'debug';
  if (!logger.isLevelEnabled(level)) return {};
  return {
    onCall: (call) => {
      logger[level](call, 'a call was answered');
    },
  };
}

function reportTls(fault: Error | undefined, logger: Logger): void {
  if (fault === undefined) logger.info('the certificate was renewed');
  else logger.warn({ reason: fault.message }, 'the renewed certificate cannot be used; the former one stays');
}

async function serve(
  options: RunOptions,
  open: OpenDeps,
  { application, consumers, health, readiness, shutdown, config }: CatalogProcess,
): Promise<RunningCatalog> {
  const { settings, logger } = options;
  const url = await listen(application, settings);
  // The process survives a connection that the system does not hand over, for want of file handles.
  application.getHttpServer().on('error', (err: Error) => {
    logger.error({ err }, 'a connection could not be accepted');
  });
  config.baseUrl = (settings.baseUrl ?? url).replace(/\/$/, '');
  if (settings.profile === 'embedded') writeAddress(settings.dataDir, url);
  const metrics = await openMetrics(settings, health, { consumers, deps: open.deps });
  shutdown.metrics = metrics;
  const heartbeat = createHeartbeat(options, { open, consumers, health, url });
  shutdown.heartbeat = heartbeat;
  await heartbeat?.start();
  // The others are asked for nothing of it.
  if (options.stages.some(({ name }) => name === OPERATORS_STAGE)) {
    const lagged = listLagged(consumers, open.deps);
    const workWatch = new WorkWatch({ consumers: lagged, clock: open.deps.clock });
    shutdown.workWatch = workWatch;
    await workWatch.start();
  }
  const faultLog = new FaultLog({ report: () => health.report(), logger });
  shutdown.faultLog = faultLog;
  await faultLog.start();
  const ready = startConsumers(application, { health, readiness }, shutdown.signal);
  // A stop before that rejects it, and some callers do not wait for it.
  ready.catch(() => undefined);
  return {
    url,
    metricsUrl: metrics === undefined ? undefined : `${metrics.url}/metrics`,
    deps: open.deps,
    routes: servedRoutes(application),
    ready,
    onLost: open.onLost,
    drain: async () => {
      health.enter('stopping');
      endConnections(application.getHttpServer());
      await setTimeout(settings.drainMs);
    },
    stop: async () => {
      await application.close();
      shutdown.rejectFailed();
    },
  };
}

function listRoutes(stages: readonly CatalogStage[], opened: readonly OpenStage<DynamicModule>[]): string[] {
  return stages.flatMap(({ name }, at) => (opened[at]?.consumers.length === 0 ? [name] : []));
}

const LOGS: ReadonlySet<Need> = new Set(['proposals', 'changes']);

/**
 * A consumer whose progress is known works on a log; the others run tasks, whose failures keep no role from its work. Nor does a log that
 * the role does not need: calls of operators are answered while metadata tests and incidents wait for changes.
 */
function listRoles({
  needs = {},
  consumers,
  needsClock = false,
}: OpenStage<DynamicModule>): readonly RoleNeeds[] {
  const ofLogs = consumers.filter(({ progress }) => progress !== undefined);
  return Object.entries(needs).map(([name, each]) => ({
    name,
    needs: each,
    consumers: each.some((need) => LOGS.has(need)) ? ofLogs : [],
    needsClock,
  }));
}

interface ProcessState {
  readonly health: Health;
  readonly readiness: Readiness;
  readonly shutdown: ProcessShutdown;
  readonly config: Omit<ServerConfig, 'baseUrl'> & { baseUrl: string };
}

function rootModule(
  opened: readonly OpenStage<DynamicModule>[],
  { health, shutdown, config }: ProcessState,
): DynamicModule {
  return {
    module: CatalogModule,
    imports: opened.flatMap(({ module }) => (module === undefined ? [] : [module])),
    controllers: [...SERVER_CONTROLLERS],
    providers: [
      { provide: Health, useValue: health },
      { provide: INSTANCES, useValue: () => shutdown.heartbeat },
      { provide: WORK_WATCH, useValue: () => shutdown.workWatch },
      { provide: SERVER_CONFIG, useValue: (): ServerConfig => config },
      { provide: ProcessShutdown, useValue: shutdown },
    ],
  };
}

function openMetrics(
  { host, metricsPort, baseUrl }: Settings,
  health: Health,
  { consumers, deps }: Pick<CatalogProcess, 'consumers'> & Pick<OpenDeps, 'deps'>,
): Promise<MetricsServer | undefined> {
  if (metricsPort === undefined) return Promise.resolve(undefined);
  const { tasks, deadLetters, connectionUse } = deps;
  const ownHosts = new OwnHosts(baseUrl);
  return startMetricsServer({
    host,
    port: metricsPort,
    health,
    ownHosts,
    tasks,
    consumers: listLagged(consumers, deps),
    deadLetters,
    connectionUse,
  });
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
async function startConsumers(
  application: NestFastifyApplication,
  { health, readiness }: Pick<ProcessState, 'health' | 'readiness'>,
  stopping: AbortSignal,
): Promise<void> {
  await application.startAllMicroservices();
  await readiness.start();
  stopping.throwIfAborted();
  health.enter('running');
  while (health.report().status !== 'ready') {
    await setTimeout(READY_POLL_MS, undefined, { signal: stopping });
  }
}

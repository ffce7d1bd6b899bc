import type { Type } from '@nestjs/common';
import type { DynamicModule, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServedRoute } from '../routing/route-table';
import { WireAdapter, type HttpOptions } from './wire-adapter';
import { WireErrorFilter } from '../response/wire-error.filter';

export interface HttpApplicationOptions extends HttpOptions {
  /** Receives Nest's own messages; by default they are discarded. */
  readonly logger?: LoggerService;
}

/**
 * Creates a Nest application whose controllers speak the wire dialect. The caller listens and closes.
 *
 * **Errors**: rejects when the module cannot be wired, for instance when two methods serve the same action.
 */
export async function createHttpApplication(
  rootModule: Type | DynamicModule,
  { logger, ...options }: HttpApplicationOptions,
): Promise<NestFastifyApplication> {
  const application = await NestFactory.create<NestFastifyApplication>(rootModule, new WireAdapter(options), {
    bodyParser: false,
    abortOnError: false,
    logger: logger ?? false,
  });
  return application.useGlobalFilters(new WireErrorFilter());
}

/** Returns every call that the application's router accepts, once it listens. */
export function servedRoutes(application: NestFastifyApplication): readonly ServedRoute[] {
  const adapter = application.getHttpAdapter();
  return adapter instanceof WireAdapter ? adapter.routes.all() : [];
}

import type { Type } from '@nestjs/common';
import type { DynamicModule, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServedRoute } from '../routing/route-table';
import { WireAdapter, type HttpOptions } from './wire-adapter';
import { WireErrorFilter } from '../response/wire-error.filter';

export interface HttpApplicationOptions extends HttpOptions {
  /** Where Nest's own messages go; by default nowhere. */
  readonly logger?: LoggerService;
}

/**
 * A Nest application whose controllers speak the wire dialect. The caller listens and closes.
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

/** Every call that the application's router takes, once it listens. */
export function servedRoutes(application: NestFastifyApplication): readonly ServedRoute[] {
  const adapter = application.getHttpAdapter();
  return adapter instanceof WireAdapter ? adapter.routes.all() : [];
}

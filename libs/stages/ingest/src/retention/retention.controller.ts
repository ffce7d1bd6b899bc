import { Controller, Inject, Req } from '@nestjs/common';
import { Action, Documented, actionParameters, type WireRequest } from '@stratalog/http';
import type { EntityRegistry } from '@stratalog/registry';
import type { RetentionDeps } from '@stratalog/retention';
import { applyRetentionTo } from './apply-retention';
import { APPLY_RETENTION } from './retention.docs';

export const RETENTION_DEPS = Symbol('retention dependencies');

const MAX_START = 10_000_000;
const MAX_COUNT = 10_000;
/** Fewest versions of an aspect from which one can be purged. */
const FIRST_TO_CUT = 2;

/** The action that applies retention at once. */
@Controller()
export class RetentionController {
  constructor(
    @Inject(RETENTION_DEPS) private readonly deps: RetentionDeps & { readonly registry: EntityRegistry },
  ) {}

  @Documented(APPLY_RETENTION)
  @Action('entities', 'applyRetention')
  applyRetention(@Req() request: WireRequest): Promise<string> {
    const parameters = actionParameters(request);
    return applyRetentionTo(this.deps, this.deps.registry, {
      start: parameters.optionalInteger('start', { minimum: 0, maximum: MAX_START }) ?? 0,
      count: parameters.optionalInteger('count', { minimum: 0, maximum: MAX_COUNT }) ?? 100,
      attemptWithVersion: parameters.optionalInteger('attemptWithVersion', { minimum: 0 }) ?? FIRST_TO_CUT,
      aspectName: parameters.optionalString('aspectName'),
      urn: parameters.optionalString('urn'),
    });
  }
}

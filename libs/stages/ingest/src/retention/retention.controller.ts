import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input } from '@stratalog/http';
import type { EntityRegistry } from '@stratalog/registry';
import type { RetentionDeps } from '@stratalog/retention';
import { applyRetentionTo } from './apply-retention';
import { APPLY_RETENTION } from './retention.routes';

export const RETENTION_DEPS = Symbol('retention dependencies');

/** The action that applies retention at once. */
@Controller()
export class RetentionController {
  constructor(
    @Inject(RETENTION_DEPS) private readonly deps: RetentionDeps & { readonly registry: EntityRegistry },
  ) {}

  @Route(APPLY_RETENTION)
  applyRetention(@Parameters() query: Input<typeof APPLY_RETENTION>): Promise<string> {
    return applyRetentionTo(this.deps, this.deps.registry, query);
  }
}

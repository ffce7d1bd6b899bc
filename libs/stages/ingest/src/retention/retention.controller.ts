import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input, type UseCase } from '@stratalog/http';
import { applyRetentionTo } from './apply-retention';
import { APPLY_RETENTION } from './retention.routes';

/** The action that applies retention at once. */
@Controller()
export class RetentionController {
  @Inject(applyRetentionTo) private readonly applyRetentionTo!: UseCase<typeof applyRetentionTo>;

  @Route(APPLY_RETENTION)
  applyRetention(@Parameters() query: Input<typeof APPLY_RETENTION>): Promise<string> {
    return this.applyRetentionTo(query);
  }
}

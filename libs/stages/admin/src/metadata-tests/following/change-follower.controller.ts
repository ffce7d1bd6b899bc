import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { ConsumesChanges } from '@stratalog/log-transport';
import type { ChangeKey } from '@stratalog/domain';
import type { Batch, Verdict } from '@stratalog/ports';
import { ChangeFollower } from './change-follower';

/** Consumes the change log for metadata tests. */
@Controller()
export class ChangeFollowerController {
  constructor(@Inject(ChangeFollower) private readonly follower: ChangeFollower) {}

  @ConsumesChanges('metadata-tests')
  follow(@Payload() batch: Batch<ChangeKey>): Promise<Verdict<void>> {
    return this.follower.handle(batch);
  }
}

import { Controller, Inject } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { IndexFollower } from '@stratalog/indexing';
import { ConsumesChanges, type ChangeContext } from '@stratalog/log-transport';
import type { ChangeKey } from '@stratalog/domain';
import type { Batch, Verdict } from '@stratalog/ports';

/** Consumes the change log for the relationship graph. */
@Controller()
export class GraphController {
  constructor(@Inject(IndexFollower) private readonly follower: Pick<IndexFollower<never>, 'handle'>) {}

  @ConsumesChanges('graph')
  follow(
    @Payload() batch: Batch<ChangeKey>,
    @Ctx() { subscription }: ChangeContext,
  ): Promise<Verdict<void, ChangeKey>> {
    return this.follower.handle(batch, subscription);
  }
}

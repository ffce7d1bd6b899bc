import { Controller, Inject } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import type { IndexFollower } from '@stratalog/indexing';
import { ConsumesChanges, type ChangeContext } from '@stratalog/log-transport';
import type { ChangeKey } from '@stratalog/domain';
import type { Batch, Verdict } from '@stratalog/ports';
import { followSearch, followTimeseries } from './follow-indices';

/** Consumes the change log for the search index. */
@Controller()
export class SearchIndexerController {
  constructor(@Inject(followSearch) private readonly follower: Pick<IndexFollower<never>, 'handle'>) {}

  @ConsumesChanges('indexer')
  follow(
    @Payload() batch: Batch<ChangeKey>,
    @Ctx() { subscription }: ChangeContext,
  ): Promise<Verdict<void, ChangeKey>> {
    return this.follower.handle(batch, subscription);
  }
}

/** Consumes the change log for the index of timeseries values. */
@Controller()
export class TimeseriesIndexerController {
  constructor(@Inject(followTimeseries) private readonly follower: Pick<IndexFollower<never>, 'handle'>) {}

  @ConsumesChanges('timeseries-indexer')
  follow(
    @Payload() batch: Batch<ChangeKey>,
    @Ctx() { subscription }: ChangeContext,
  ): Promise<Verdict<void, ChangeKey>> {
    return this.follower.handle(batch, subscription);
  }
}

import { Controller, Inject, Module, type DynamicModule } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { ChangeKey } from '@stratalog/domain';
import { ConsumesChanges } from '@stratalog/log-transport';
import type { Batch, LogSubscriptions, NamedSubscription, Verdict } from '@stratalog/ports';
import type { TaskKind } from '@stratalog/tasks';
import { IncidentFollower, type FollowIncidentsDeps } from './incident-follower';
import { incidentsTask, type IncidentsDeps } from './incidents-task';

/** Consumes the change log for the incidents of entities. */
@Controller()
class IncidentFollowerController {
  constructor(@Inject(IncidentFollower) private readonly follower: IncidentFollower) {}

  @ConsumesChanges('incidents')
  follow(@Payload() batch: Batch<ChangeKey>): Promise<Verdict<void>> {
    return this.follower.handle(batch);
  }
}

/** Mounts the consumer of the change log that keeps the incidents of entities. */
@Module({})
export class IncidentsModule {
  static over(follower: IncidentFollower): DynamicModule {
    return {
      module: IncidentsModule,
      controllers: [IncidentFollowerController],
      providers: [{ provide: IncidentFollower, useValue: follower }],
    };
  }
}

/** Makes the module of incidents, and what its stage runs for it. */
export function openIncidents(
  deps: IncidentsDeps & Omit<FollowIncidentsDeps, 'summaries'> & { readonly subscriptions: LogSubscriptions },
): {
  readonly module: DynamicModule;
  readonly kind: TaskKind;
  readonly consumer: NamedSubscription;
} {
  const summaries = incidentsTask(deps);
  const follower = new IncidentFollower({ ...deps, summaries });
  return {
    module: IncidentsModule.over(follower),
    kind: summaries,
    consumer: follower.consumer(deps.subscriptions),
  };
}

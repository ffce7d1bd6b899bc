import { Controller, Inject, Res } from '@nestjs/common';
import { Parameters, Route, type Input, type WireReply } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { READ_CONSUMER_LAG, READ_CONSUMER_OFFSETS } from './work/consumer-lag.routes';
import { describeConsumerLag } from './work/describe-consumer-lag';
import { Health } from './health';
import type { Heartbeat } from './heartbeat';
import { roleHealth } from './role-health';
import {
  READ_HEALTH,
  READ_HEALTH_DETAILS,
  READ_LIVENESS,
  READ_READINESS,
  READ_WORK_HISTORY,
} from './server.routes';
import { SAMPLE_SECONDS, type WorkWatch } from './work/work-watch';

export const INSTANCES = Symbol('instances');
export const WORK_WATCH = Symbol('work watch');

/** What this process knows of the others; of an embedded catalog, nothing. */
export type KnownInstances = Pick<Heartbeat, 'instances' | 'lastLags'>;

/** Answers from memory: no call here waits for another server. Only operators see reasons and instances, which name servers. */
@Controller()
export class HealthController {
  constructor(
    @Inject(Health) private readonly health: Health,
    @Inject(INSTANCES) private readonly known: () => KnownInstances | undefined,
    @Inject(WORK_WATCH)
    private readonly workWatch: () => Pick<WorkWatch, 'partitionLags' | 'history'> | undefined,
  ) {}

  @Route(READ_LIVENESS)
  isLive(): JsonOutputObject {
    return { status: 'live' };
  }

  @Route(READ_READINESS)
  isReady(@Res({ passthrough: true }) reply: WireReply): JsonOutputObject {
    const { status, roles } = this.health.readiness();
    if (status !== 'ready') void reply.code(503);
    return {
      status,
      roles: roles.map(({ name, status: each }) => ({ name, status: each })),
      ...this.catalogRoles(),
    };
  }

  /** 200 when every stage is ready, else 503; the body names the stages that are not. */
  @Route(READ_HEALTH)
  read(@Res({ passthrough: true }) reply: WireReply): JsonOutputObject {
    const { status, stages } = this.health.report();
    if (status !== 'ready') void reply.code(503);
    return { status, stages: stages.map(({ name, state }) => ({ name, state })), ...this.catalogRoles() };
  }

  @Route(READ_HEALTH_DETAILS)
  readDetails(): JsonOutputObject {
    const { status, stages } = this.health.report();
    const { roles } = this.health.readiness();
    const instances = this.known()?.instances();
    return {
      status,
      stages: stages.map((stage) => ({ ...stage })),
      roles: roles.map((role) => ({ ...role })),
      lags: (this.workWatch()?.partitionLags() ?? []).map((each) => ({ ...each })),
      ...(instances !== undefined && { instances: instances.map((instance) => ({ ...instance })) }),
    };
  }

  @Route(READ_WORK_HISTORY)
  readHistory(): JsonOutputObject {
    const samples = this.workWatch()?.history() ?? [];
    return { intervalSeconds: SAMPLE_SECONDS, samples: samples.map((sample) => ({ ...sample })) };
  }

  @Route(READ_CONSUMER_LAG)
  readLag(@Parameters() sent: Input<typeof READ_CONSUMER_LAG>): JsonOutputObject {
    const transport = this.known() === undefined ? 'postgres' : 'kafka';
    return { transport, consumerGroups: this.readOffsets(sent) };
  }

  @Route(READ_CONSUMER_OFFSETS)
  readOffsets(@Parameters() { stream, detailed }: Input<typeof READ_CONSUMER_OFFSETS>): JsonOutputObject {
    return describeConsumerLag(this.workWatch()?.partitionLags() ?? [], stream, detailed);
  }

  /** The roles of a catalog of several processes, as far as this one knows them. */
  private catalogRoles(): JsonOutputObject {
    const known = this.known();
    const instances = known?.instances();
    if (instances === undefined) return {};
    return { catalog: roleHealth(instances, known?.lastLags).map((role) => ({ ...role })) };
  }
}

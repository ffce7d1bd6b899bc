import { Controller, Inject, Res } from '@nestjs/common';
import { Route, type WireReply } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import { Health } from './health';
import type { InstanceHealth } from './heartbeat';
import { READ_HEALTH } from './server.routes';

export const INSTANCES = Symbol('instances');

@Controller()
export class HealthController {
  constructor(
    @Inject(Health) private readonly health: Health,
    @Inject(INSTANCES) private readonly instances: () => readonly InstanceHealth[] | undefined,
  ) {}

  /** 200 when every stage is ready, else 503; the body names the stages that are not. */
  @Route(READ_HEALTH)
  read(@Res({ passthrough: true }) reply: WireReply): JsonOutputObject {
    const report = this.health.report();
    if (report.status !== 'ready') void reply.code(503);
    const instances = this.instances();
    return {
      status: report.status,
      stages: report.stages.map((stage) => ({ ...stage })),
      ...(instances === undefined ? {} : { instances: instances.map((instance) => ({ ...instance })) }),
    };
  }
}

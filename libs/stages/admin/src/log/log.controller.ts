import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input, type UseCase } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { ADOPT_LOG, DESCRIBE_LOG, RESUME_LOG } from './log.routes';
import { adoptLog, describeLog, resumeLog } from './recover-log';

/** The decisions of operators about a proposal log that moved. */
@Controller()
export class LogController {
  @Inject(describeLog) private readonly describeLog!: UseCase<typeof describeLog>;
  @Inject(adoptLog) private readonly adoptLog!: UseCase<typeof adoptLog>;
  @Inject(resumeLog) private readonly resumeLog!: UseCase<typeof resumeLog>;

  @Route(DESCRIBE_LOG)
  describe(): Promise<JsonOutputObject> {
    return this.describeLog();
  }

  @Route(ADOPT_LOG)
  adopt(@Parameters() { dryRun }: Input<typeof ADOPT_LOG>): Promise<JsonOutputObject> {
    return this.adoptLog(dryRun);
  }

  @Route(RESUME_LOG)
  resume(): Promise<JsonOutputObject> {
    return this.resumeLog();
  }
}

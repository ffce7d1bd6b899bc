import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input, type UseCase } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import { LIST_DEAD_LETTERS } from './dead-letters.routes';
import { listDeadLetters } from './list-dead-letters';

/** Lists the dead letters. */
@Controller()
export class DeadLettersController {
  constructor(@Inject(listDeadLetters) private readonly listPage: UseCase<typeof listDeadLetters>) {}

  @Route(LIST_DEAD_LETTERS)
  list(
    @Parameters() { count, waiting, ...query }: Input<typeof LIST_DEAD_LETTERS>,
  ): Promise<JsonOutputObject> {
    return this.listPage({ ...query, limit: count, isWaiting: waiting });
  }
}

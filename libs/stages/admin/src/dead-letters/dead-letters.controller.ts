import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input, type UseCase } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { LIST_DEAD_LETTERS } from './dead-letters.routes';
import { listDeadLetters } from './list-dead-letters';

/** Lists the dead letters. */
@Controller()
export class DeadLettersController {
  @Inject(listDeadLetters) private readonly listDeadLetters!: UseCase<typeof listDeadLetters>;

  @Route(LIST_DEAD_LETTERS)
  list(
    @Parameters() { count, waiting, ...query }: Input<typeof LIST_DEAD_LETTERS>,
  ): Promise<JsonOutputObject> {
    return this.listDeadLetters({ ...query, limit: count, isWaiting: waiting });
  }
}

import { Controller, Inject } from '@nestjs/common';
import { Route, type UseCase } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/model';
import { declareRestored } from './declare-restored';
import { DECLARE_RESTORED } from './store.routes';

/** The actions of operators on the store itself. */
@Controller()
export class StoreController {
  constructor(@Inject(declareRestored) private readonly declare: UseCase<typeof declareRestored>) {}

  @Route(DECLARE_RESTORED)
  declareRestored(): Promise<JsonOutputObject> {
    return this.declare();
  }
}

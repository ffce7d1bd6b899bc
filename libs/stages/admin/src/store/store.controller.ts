import { Controller, Inject } from '@nestjs/common';
import { Route, type UseCase } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { declareRestored } from './declare-restored';
import { DECLARE_RESTORED } from './store.routes';

/** The actions of operators on the store itself. */
@Controller()
export class StoreController {
  @Inject(declareRestored) private readonly declareRestored!: UseCase<typeof declareRestored>;

  @Route(DECLARE_RESTORED)
  restored(): Promise<JsonOutputObject> {
    return this.declareRestored();
  }
}

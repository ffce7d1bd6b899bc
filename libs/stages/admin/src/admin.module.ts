import { Module, type DynamicModule } from '@nestjs/common';
import type { Stage } from '@stratalog/ports';
import type { AdminDeps } from './describe-index';
import { ADMIN_DEPS, IndexesController } from './indexes.controller';

/** Mounts the routes of operators. */
@Module({})
export class AdminModule {
  static over(deps: AdminDeps): DynamicModule {
    return {
      module: AdminModule,
      controllers: [IndexesController],
      providers: [{ provide: ADMIN_DEPS, useValue: deps }],
    };
  }
}

/** Serves the routes for operators. */
export const adminStage: Stage<AdminDeps, DynamicModule> = {
  name: 'admin',
  open: (deps) => ({ module: AdminModule.over(deps), consumers: [] }),
};

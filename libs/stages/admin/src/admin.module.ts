import { Module, type DynamicModule } from '@nestjs/common';
import { provideUseCases } from '@stratalog/http';
import type { Stage } from '@stratalog/ports';
import { describeIndex, rebuildIndex, type AdminDeps } from './describe-index';
import { IndexesController } from './indexes.controller';

/** Mounts the routes of operators. */
@Module({})
export class AdminModule {
  static over(deps: AdminDeps): DynamicModule {
    return {
      module: AdminModule,
      controllers: [IndexesController],
      providers: provideUseCases(deps, describeIndex, rebuildIndex),
    };
  }
}

/** Serves the routes for operators. */
export const adminStage: Stage<AdminDeps, DynamicModule> = {
  name: 'admin',
  open: (deps) => ({ module: AdminModule.over(deps), consumers: [] }),
};

import { Module, type DynamicModule } from '@nestjs/common';
import { provideUseCases } from '@stratalog/http';
import { restoreIndices, type RestoreDeps } from './restore-indices';
import { startRestore, type RestoreStartDeps } from './restore-task';
import { RestoreController } from './restore.controller';

/** Mounts the actions that restate aspects. */
@Module({})
export class RestoreModule {
  static over(deps: RestoreDeps & RestoreStartDeps): DynamicModule {
    return {
      module: RestoreModule,
      controllers: [RestoreController],
      providers: provideUseCases(deps, restoreIndices, startRestore),
    };
  }
}

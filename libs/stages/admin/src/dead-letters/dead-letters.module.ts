import { Module, type DynamicModule } from '@nestjs/common';
import { provideUseCases } from '@stratalog/http';
import type { TaskKind } from '@stratalog/tasks';
import { DeadLettersController } from './dead-letters.controller';
import { discardTask, replayTask } from './letters-tasks';
import { countDeadLetters, listDeadLetters } from './list-dead-letters';
import { discardDeadLetter, replayDeadLetter, showDeadLetter, type SettleDeps } from './settle-letter';
import { discardDeadLetters, replayDeadLetters, type SelectedDeps } from './settle-selected';

export type DeadLettersModuleDeps = SettleDeps & Omit<SelectedDeps, 'replaying' | 'discarding'>;

/** Mounts the routes of dead letters. */
@Module({})
export class DeadLettersModule {
  static over(deps: SettleDeps & SelectedDeps): DynamicModule {
    return {
      module: DeadLettersModule,
      controllers: [DeadLettersController],
      providers: [
        ...provideUseCases(deps, listDeadLetters, countDeadLetters, showDeadLetter),
        ...provideUseCases(deps, replayDeadLetter, discardDeadLetter, replayDeadLetters, discardDeadLetters),
      ],
    };
  }
}

/** Makes the module of dead letters, and the kinds of task that it requests. */
export function openDeadLetters(deps: DeadLettersModuleDeps): {
  readonly module: DynamicModule;
  readonly kinds: readonly TaskKind[];
} {
  const replaying = replayTask(deps);
  const discarding = discardTask(deps);
  return {
    module: DeadLettersModule.over({ ...deps, replaying, discarding }),
    kinds: [replaying, discarding],
  };
}

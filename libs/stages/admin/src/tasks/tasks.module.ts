import { Module, type DynamicModule } from '@nestjs/common';
import { provideUseCases } from '@stratalog/http';
import { controlTask } from './control-task';
import { describeTask, listTasks, type TaskDeps } from './describe-task';
import { describeEsTask } from './es-task-status';
import { restartTask } from './restart-task';
import { TaskEvents } from './task-events';
import { TasksController } from './tasks.controller';

interface ModuleDeps extends TaskDeps {
  /** Called after a request to a task. */
  readonly onTask: () => void;
}

/** Mounts the routes of tasks. */
@Module({})
export class TasksModule {
  static over(deps: ModuleDeps): DynamicModule {
    return {
      module: TasksModule,
      controllers: [TasksController],
      providers: [
        ...provideUseCases(deps, listTasks, describeTask, describeEsTask, controlTask, restartTask),
        { provide: TaskEvents, useValue: new TaskEvents(deps) },
      ],
    };
  }
}

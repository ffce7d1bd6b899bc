export { completeTask, type CompleteDeps } from './complete-task';
export {
  defineTaskKind,
  type StopRequest,
  type TaskContext,
  type TaskKind,
  type TaskKindDefinition,
  type TaskStanding,
  type TaskStep,
} from './task-kind';
export type { TaskSchedule } from './task-schedule';
export { TaskRunner, type TaskRunnerOptions } from './task-runner';

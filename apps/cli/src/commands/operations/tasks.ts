import { Option, type Command } from 'commander';
import { TASK_REQUESTS, TASK_STATES, type TaskRequest, type TaskState } from '@stratalog/domain';
import { integerFrom } from '../../arguments';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { requireCompleted, watchTask, type Task } from './watch-task';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { formatTaskProgress, toTaskRow } from '../../output/task-text';
import { textTable } from '../../output/text-table';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface TaskOptions extends ConnectionOptions {
  readonly json?: true;
}

interface ListOptions extends TaskOptions {
  readonly state?: TaskState;
  readonly kind?: string;
  readonly count: number;
}

const HEADINGS = ['id', 'kind', 'state', 'done', 'created', 'by'];
const DEFAULT_COUNT = 20;
const WHAT: Readonly<Record<TaskRequest, string>> = {
  pause: 'stop a task after its current step',
  resume: 'continue a paused task',
  cancel: 'end a task after its current step; what is done stays done',
};

/** The states of a task that obeys a request. */
const OBEYED: Readonly<Record<TaskRequest, readonly TaskState[]>> = {
  pause: ['pausing', 'paused'],
  resume: ['queued', 'running'],
  cancel: ['cancelling', 'cancelled'],
};

/** Adds `tasks` with its commands. */
export function addTasksCommands(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  const tasks = program
    .command('tasks')
    .description('list the long work of the catalog, follow, pause, resume or cancel it')
    .addHelpText(
      'after',
      `\nNeeds a token with the scope operate, such as the operator's: "${PROGRAM} token" prints that of a catalog on this machine.\n`,
    );
  addConnectionOptions(tasks.command('list'))
    .description('list the tasks, the newest first')
    .addOption(new Option('--state <state>', 'only those in this state').choices(TASK_STATES))
    .option('--kind <kind>', 'only those of this kind')
    .option('--count <n>', 'list at most so many', integerFrom(1, 1_000), DEFAULT_COUNT)
    .option('--json', "print the catalog's answer as it is")
    .action(async (options: ListOptions) => {
      setExitCode(await listTasks(options, terminal));
    });
  addConnectionOptions(tasks.command('watch'))
    .description('show the progress of a task until it ends; exit code 1 unless it is completed')
    .argument('<task>', 'its id or its name')
    .option('--json', 'print the task at its end as JSON')
    .action(async (task: string, options: TaskOptions) => {
      setExitCode(await watch(task, options, terminal));
    });
  for (const request of TASK_REQUESTS) {
    addConnectionOptions(tasks.command(request))
      .description(WHAT[request])
      .argument('<task>', 'its id or its name')
      .option('--json', 'print the task as JSON')
      .action(async (task: string, options: TaskOptions) => {
        setExitCode(await control(request, task, options, terminal));
      });
  }
}

function listTasks({ state, kind, count, ...options }: ListOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const { answer } = await client.call('GET /operations/tasks', { count, state, kind });
    const rows = answer.tasks.map(toTaskRow);
    terminal.stdout.write(
      options.json === true ? `${prettyJson(answer)}\n` : textTable([HEADINGS, ...rows], terminal.columns),
    );
    return EXIT.ok;
  });
}

function watch(name: string, options: TaskOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const task = await watchTask(client, name, terminal);
    write(name, task, options, terminal);
    requireCompleted(task);
    return EXIT.ok;
  });
}

function control(
  request: TaskRequest,
  name: string,
  options: TaskOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const { answer: task } = await client.call(`POST /operations?action=${request}Task`, { task: name });
    write(name, task, options, terminal);
    return OBEYED[request].includes(task.state) ? EXIT.ok : EXIT.rejected;
  });
}

function write(name: string, task: Task, options: TaskOptions, terminal: Terminal): void {
  const text = options.json === true ? prettyJson(task) : `task ${name}: ${formatTaskProgress(task)}`;
  terminal.stdout.write(`${text}\n`);
}

import type { Database } from '../database/database';
import { PostgresTaskStore } from '../tasks/task-store';

export interface TasksUnderTest {
  readonly tasks: PostgresTaskStore;
  /** Expires every lease, as if the processes had been silent for long enough. */
  readonly expireLeases: () => Promise<void>;
}

/** Deletes the tasks of a suite's database and opens their store. */
export async function openEmptyTasks(database: Database): Promise<TasksUnderTest> {
  await database.use((client) => client.query('truncate task restart identity'));
  return {
    tasks: new PostgresTaskStore(database),
    expireLeases: async () => {
      await database.use((client) => client.query("update task set lease_until = '-infinity'"));
    },
  };
}

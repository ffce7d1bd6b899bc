import { describe, expect, it } from '@jest/globals';
import { taskRunnerContract, taskStoreContract, type TaskStoreUnderTest } from '@stratalog/testkit';
import { PostgresTaskStore } from './task-store';
import { useSuiteDatabase } from '../testing/suite-database';

describe('PostgresTaskStore', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });

  const open = async (): Promise<TaskStoreUnderTest> => {
    await suite.database.use((client) => client.query('truncate task restart identity'));
    return {
      tasks: new PostgresTaskStore(suite.database),
      expireLeases: async () => {
        await suite.database.use((client) => client.query("update task set lease_until = '-infinity'"));
      },
    };
  };

  taskStoreContract(open);
  taskRunnerContract(open);

  const run = (statement: string) =>
    suite.database.use(async (client) => (await client.query<Record<string, unknown>>(statement)).rows);

  it('finds the newest task of a kind by an index', async () => {
    await open();
    await run(
      `insert into task (kind, parameters, parameters_digest, actor, state, ended)
       select 'frequent', '{}', n, 'a', 'completed', now() from generate_series(1, 5000) n`,
    );
    await run('analyze task');
    const plan = await run(`explain select * from task where kind = 'rare' order by id desc limit 1`);
    expect(JSON.stringify(plan)).toContain('using task_kind');
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ConsumerCheckpoints } from '@stratalog/ports';
import { PostgresConsumerCheckpoints } from './consumer-checkpoints';
import { useSuiteDatabase } from '../testing/suite-database';

describe('PostgresConsumerCheckpoints', () => {
  const suite = useSuiteDatabase();
  const open = (): ConsumerCheckpoints => new PostgresConsumerCheckpoints(suite.database);

  beforeEach(async () => {
    await suite.database.use((client) => client.query('truncate consumer_checkpoint'));
  });

  it('ConsumerCheckpoints are those of each consumer, partition by partition, also when they are opened again', async () => {
    expect(await open().read('one')).toEqual(new Map());
    await open().save(
      'one',
      new Map([
        [0, 7],
        [3, 9],
      ]),
    );
    await open().save('one', new Map([[1, 8]]));
    await open().save('other', new Map([[0, 1]]));
    await open().save('one', new Map());
    expect(await open().read('one')).toEqual(
      new Map([
        [0, 7],
        [1, 8],
        [3, 9],
      ]),
    );
    expect(await open().read('other')).toEqual(new Map([[0, 1]]));
  });

  it('ConsumerCheckpoints never move back', async () => {
    const checkpoints = open();
    const reached = [5, 3, 6, 1];
    await Promise.all(reached.map((seq) => checkpoints.save('one', new Map([[0, seq]]))));
    await checkpoints.save('one', new Map([[0, 2]]));
    expect(await checkpoints.read('one')).toEqual(new Map([[0, 6]]));
  });
});

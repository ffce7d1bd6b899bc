import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Module,
  UseInterceptors,
  type DynamicModule,
  type INestMicroservice,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, Payload } from '@nestjs/microservices';
import type { ChangeKey, ProposalEntry, WriteOutcome } from '@stratalog/domain';
import type { Batch, BatchHandler, ChangeConsumerOptions, Subscription, Verdict } from '@stratalog/ports';
import type { BatchContext, ChangeContext } from './batch-context';
import { ConsumesChanges, ConsumesProposals } from './consumer.decorators';
import { LogServer, type Logs } from './log-server';

type Changes = Batch<ChangeKey>;
type ChangeVerdict = Verdict<void, ChangeKey>;

const BATCH = { records: [], ranges: [{ partition: 3, from: 6, to: 9 }] };
const START = new Map([[3, 6]]);
const DONE = { kind: 'done', results: [] } as const;
const FAULT = new Error('a defect', { cause: new Error('its cause') });
const OPTIONS: ChangeConsumerOptions = {
  name: 'indexer-v2',
  after: () => Promise.resolve(START),
  maxRecords: 10,
};

const passOn: NestInterceptor = { intercept: (_, next) => next.handle() };

@Controller()
class SampleController {
  static readonly seen: unknown[] = [];

  @ConsumesProposals('writer')
  write(
    @Payload() batch: Batch<ProposalEntry>,
    @Ctx() context: BatchContext,
  ): Promise<Verdict<WriteOutcome, ProposalEntry>> {
    SampleController.seen.push([batch, context.consumer, context.ranges]);
    return Promise.reject(FAULT);
  }

  @UseInterceptors(passOn)
  @ConsumesChanges('indexer')
  index(@Payload() batch: Changes, @Ctx() context: ChangeContext): Promise<ChangeVerdict> {
    SampleController.seen.push([
      batch,
      context.consumer,
      context.ranges,
      context.subscription,
      context.start,
    ]);
    return Promise.resolve(DONE);
  }
}

@Controller()
class SecondController {
  @ConsumesChanges('indexer')
  index(): Promise<ChangeVerdict> {
    return Promise.resolve(DONE);
  }
}

@Module({})
class SampleModule {
  static with(controllers: readonly Type[]): DynamicModule {
    return { module: SampleModule, controllers: [...controllers] };
  }
}

describe('LogServer', () => {
  let calls: string[] = [];
  let failures: unknown[] = [];
  let application: INestMicroservice | undefined;
  afterEach(async () => {
    await application?.close();
    [application, calls, failures] = [undefined, [], []];
    SampleController.seen.length = 0;
  });

  const subscription = (name: string, fails: 'start' | 'stop' | 'never' = 'never'): Subscription => {
    const call = (step: 'start' | 'stop') => (): Promise<void> => {
      calls.push(`${step} ${name}`);
      return step === fails ? Promise.reject(new Error(`${name} fails`)) : Promise.resolve();
    };
    return { start: call('start'), stop: call('stop'), status: () => ({ state: 'running' }) };
  };
  const consumer = (name: string, fails?: 'start' | 'stop') => ({
    name,
    subscription: subscription(name, fails),
  });

  /** The handlers to which the logs would deliver. */
  const delivered: {
    proposals?: BatchHandler<ProposalEntry, WriteOutcome>;
    changes?: BatchHandler<ChangeKey, void>;
  } = {};
  const logs: Logs = {
    proposals: {
      consume: (handler) => {
        delivered.proposals = handler;
        return subscription('writer');
      },
    },
    changes: {
      consume: (options, handler) => {
        delivered.changes = handler;
        return { ...subscription(options.name), start: async () => void (await options.after()) };
      },
    },
  };
  const createServer = (): LogServer => new LogServer(logs, (cause) => failures.push(cause));
  const create = async (server: LogServer, ...controllers: readonly Type[]): Promise<INestMicroservice> => {
    application = await NestFactory.createMicroservice(SampleModule.with(controllers), {
      strategy: server,
      logger: false,
      abortOnError: false,
    });
    return application.init();
  };

  it('starts the consumers in their order, and stops them in the reverse, once', async () => {
    const server = createServer();
    server.add([consumer('a'), consumer('b')]);
    await (await create(server)).listen();
    await server.close();
    await server.close();
    expect(calls).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('passes the error of a failed start on, and still stops that consumer', async () => {
    const server = createServer();
    server.add([consumer('a'), consumer('b', 'start'), consumer('c')]);
    await expect((await create(server)).listen()).rejects.toThrow('b fails');
    await server.close();
    expect(calls).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('stops the others when a consumer does not stop, and reports the failure', async () => {
    const server = createServer();
    server.add([consumer('a'), consumer('b', 'stop')]);
    await (await create(server)).listen();
    await server.close();
    expect([calls.slice(2), failures]).toEqual([['stop b', 'stop a'], [new Error('b fails')]]);
  });

  it('rejects a second consumer of a name', () => {
    expect(() => {
      createServer().add([consumer('a'), consumer('a')]);
    }).toThrow('Two log consumers are called a');
  });

  it('does not start with a second handler of a consumer, and names it', async () => {
    await expect(create(createServer(), SampleController, SecondController)).rejects.toThrow(
      'Two handlers consume changes as indexer',
    );
  });

  it('does not start without the handler of a consumer, and names it', async () => {
    const server = createServer();
    server.add([consumer('a')]);
    server.toChanges('graph');
    const created = await create(server, SampleController);
    await expect(created.listen()).rejects.toThrow('No handler consumes changes as graph');
    expect(calls).toEqual([]);
  });

  it('delivers a batch with partition, offsets, subscription and start, and returns the verdict', async () => {
    const server = createServer();
    await create(server, SampleController);
    await server.toChanges('indexer')(OPTIONS).start();
    expect(await delivered.changes?.(BATCH)).toBe(DONE);
    expect(SampleController.seen).toEqual([[BATCH, 'indexer', BATCH.ranges, OPTIONS, START]]);
  });

  it('passes the error of a handler on to the log with its cause', async () => {
    const server = createServer();
    await create(server, SampleController);
    server.toProposals('writer');
    await expect(delivered.proposals?.(BATCH)).rejects.toBe(FAULT);
    expect(SampleController.seen).toEqual([[BATCH, 'writer', BATCH.ranges]]);
  });

  it('has the compiler check the signature of a handler', () => {
    const declare = (): void => {
      class Wrong {
        // @ts-expect-error a batch of proposals
        @ConsumesChanges('a') proposals(batch: Batch<ProposalEntry>): Promise<ChangeVerdict> {
          return Promise.resolve({ ...DONE, results: batch.records.map(() => undefined) });
        }
        // @ts-expect-error no verdict
        @ConsumesProposals('b') nothing(): Promise<void> {
          return Promise.resolve();
        }
      }
      expect(Wrong.name).toBe('Wrong');
    };
    expect(declare).not.toThrow();
  });
});

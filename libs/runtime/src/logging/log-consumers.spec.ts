import { describe, expect, it } from '@jest/globals';
import type { NamedSubscription } from '@stratalog/ports';
import { LogConsumers } from './log-consumers';

describe('LogConsumers', () => {
  const calls: string[] = [];
  const consumer = (name: string, fails = false): NamedSubscription => ({
    name,
    subscription: {
      start: () => {
        calls.push(`start ${name}`);
        return fails ? Promise.reject(new Error(`${name} fails`)) : Promise.resolve();
      },
      stop: () => {
        calls.push(`stop ${name}`);
        return Promise.resolve();
      },
      status: () => ({ state: 'running' }),
    },
  });
  const listen = (consumers: LogConsumers): Promise<unknown> =>
    new Promise((resolve) => void consumers.listen(resolve));

  it('start in their order and stop in the reverse, once', async () => {
    calls.length = 0;
    const consumers = new LogConsumers([consumer('a'), consumer('b')]);
    expect(await listen(consumers)).toBeUndefined();
    await consumers.close();
    await consumers.close();
    expect(calls).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('pass on the error of a failed start, and still stop that consumer', async () => {
    calls.length = 0;
    const consumers = new LogConsumers([consumer('a'), consumer('b', true), consumer('c')]);
    expect(await listen(consumers)).toEqual(new Error('b fails'));
    await consumers.close();
    expect(calls).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('have names of their own', () => {
    expect(() => new LogConsumers([consumer('a'), consumer('a')])).toThrow('Two log consumers are called a');
  });
});

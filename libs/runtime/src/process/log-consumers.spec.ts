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
  it('LogConsumers start in their order and stop in the reverse, once', async () => {
    calls.length = 0;
    const consumers = new LogConsumers([consumer('a'), consumer('b')]);
    await consumers.start();
    await consumers.stop();
    await consumers.stop();
    expect(calls).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('LogConsumers pass on the error of a failed start, and still stop that consumer', async () => {
    calls.length = 0;
    const consumers = new LogConsumers([consumer('a'), consumer('b', true), consumer('c')]);
    await expect(consumers.start()).rejects.toThrow('b fails');
    await consumers.stop();
    expect(calls).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('LogConsumers have names of their own', () => {
    expect(() => new LogConsumers([consumer('a'), consumer('a')])).toThrow('Two log consumers are called a');
  });
});

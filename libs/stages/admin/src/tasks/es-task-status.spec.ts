import { describe, expect, it, test } from '@jest/globals';
import { resolveTaskName } from './es-task-status';

const NEITHER = 'Please specify either Node ID + task ID OR composite task parameters';
const BOTH = 'Please specify only one of Node ID + task ID OR composite task parameters';
const malformed = (task: string): string =>
  `Task should be in the form nodeId:taskId e.g. aB1cdEf2GHIJKLMnoPQr3S:123456 (got ${task})`;

describe('the name of a task in a call', () => {
  test.each([
    [{ taskId: 7, nodeId: 'a-B_1' }, 'a-B_1:7'],
    [{ taskId: 0, task: 'node:12' }, 'node:12'],
    [{ taskId: 12, nodeId: 'node', task: 'node:12' }, 'node:12'],
    [{ taskId: 0, nodeId: 'other', task: 'node:12' }, 'node:12'],
    [{ taskId: 5, task: 'node:12' }, 'node:12'],
    [{ taskId: 0, task: 'node:9223372036854775807' }, 'node:9223372036854775807'],
  ])('given %j, then it is %s', (request, name) => {
    expect(resolveTaskName(request)).toBe(name);
  });

  test.each([
    [{ taskId: 0 }, NEITHER],
    [{ taskId: 0, nodeId: 'node' }, NEITHER],
    [{ taskId: 5 }, NEITHER],
    [{ taskId: -5, nodeId: 'node' }, NEITHER],
    [{ taskId: 5, nodeId: 'node', task: 'node:6' }, BOTH],
    [{ taskId: 5, nodeId: 'node', task: 'no name' }, BOTH],
    [{ taskId: 5, nodeId: 'no name' }, malformed('no name:5')],
    [{ taskId: 5, nodeId: 'n'.repeat(101) }, malformed(`${'n'.repeat(101)}:5`)],
    ...['', 'node', 'node:', ':5', 'node:x', 'no de:5', 'node:5:6', 'node:-5', 'node:0', 'node:00'].map(
      (task) => [{ taskId: 0, task }, malformed(task)] as const,
    ),
    [{ taskId: 0, task: 'node:9223372036854775808' }, malformed('node:9223372036854775808')],
  ])('given %j, then it is rejected', (request, message) => {
    expect(() => resolveTaskName(request)).toThrow(message);
  });

  it('does not convert a number without bounds', () => {
    const task = `node:${'9'.repeat(1_000_000)}`;
    expect(() => resolveTaskName({ taskId: 0, task })).toThrow('Task should be in the form');
  });
});

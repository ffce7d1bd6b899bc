import { expect, it } from '@jest/globals';
import { Program } from './program';

const LIMIT_MS = limitMs(60_000);
const ENVIRONMENT = { PATH: process.env.PATH };

function shell(script: string, options: { readonly input?: string; readonly onOutput?: () => void } = {}) {
  return new Program('sh', { isCommand: true, args: ['-c', script], environment: ENVIRONMENT, ...options });
}

it('runs a command with its input, and returns both outputs and the exit code', async () => {
  const program = shell('cat; echo warned >&2; exit 3', { input: 'given' });
  expect(await program.finished(LIMIT_MS)).toEqual({
    code: 3,
    signal: null,
    stdout: 'given',
    stderr: 'warned\n',
  });
});

it('a program has no input by default, and accepts that a program reads none', async () => {
  expect(await shell('cat').finished(LIMIT_MS)).toMatchObject({ code: 0, stdout: '' });
  const unread = shell('exec true', { input: 'x'.repeat(1_000_000) });
  expect(await unread.finished(LIMIT_MS)).toMatchObject({ code: 0 });
});

it('reports each piece of output', async () => {
  const seen: string[] = [];
  const program = shell('echo one; read line; echo two', {
    input: 'go\n',
    onOutput: () => seen.push(program.stdout),
  });
  await program.finished(LIMIT_MS);
  expect(seen.at(-1)).toBe('one\ntwo\n');
});

it('kills a program that does not end in time, and says what it printed', async () => {
  const program = shell('echo waiting; exec sleep 600');
  await program.printed(/waiting/, LIMIT_MS);
  await expect(program.finished(1)).rejects.toThrow(/^sh -c .* has not ended after 1 ms: waiting\n$/);
  expect(program.end).toMatchObject({ signal: 'SIGKILL' });
});

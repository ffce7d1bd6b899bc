import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, portsOf } from './free-ports';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), `stratalog-test-${process.pid}-ports-`));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('a folder keeps its ports, unless another has taken one', async () => {
  const ports = await portsOf(folder, 2);
  expect(await portsOf(folder, 2)).toEqual(ports);
  const other = createServer().listen(ports[0], '127.0.0.1');
  await once(other, 'listening');
  const [first, second] = await portsOf(folder, 2);
  expect(first).not.toBe(ports[0]);
  expect(second).toBe(ports[1]);
  other.close();
  await once(other, 'close');
});

test('a range without a free port is a fault', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(freePort({ lowest: port, highest: port })).rejects.toThrow('No free port was found');
  other.close();
  await once(other, 'close');
});

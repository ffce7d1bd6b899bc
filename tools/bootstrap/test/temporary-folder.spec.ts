import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { chooseTemporaryFolder, type Machine } from './temporary-folder.mjs';

const GB = 1024 ** 3;
const ROOMY: Machine = { given: undefined, freeMemory: 20 * GB, freeRoom: 12 * GB, mayExecute: true };

test('a machine with much memory keeps temporary files in it', () => {
  expect(chooseTemporaryFolder(ROOMY)).toBe('/dev/shm');
});

test.each<[string, Partial<Machine>]>([
  ['TMPDIR names another', { given: '/somewhere' }],
  ['memory is scarce', { freeMemory: 8 * GB }],
  ['the folder in memory is small, as in a container', { freeRoom: 64 * 1024 ** 2 }],
  ['no program may be executed there', { mayExecute: false }],
])('the folder is that of the system when %s', (_case, machine) => {
  expect(chooseTemporaryFolder({ ...ROOMY, ...machine })).toBe(tmpdir());
});

test('the folder of this machine is one of the two', () => {
  expect(['/dev/shm', tmpdir()]).toContain(chooseTemporaryFolder());
});

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFolder } from './create-folder';

describe('createFolder', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'stratalog-folder-'));
  });
  afterAll(() => {
    rmSync(root, { recursive: true });
  });

  it('creates missing parents, and leaves what exists', () => {
    const path = join(root, 'a/b/c');
    createFolder(path);
    createFolder(path);
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it('rejects a path below a file', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(() => {
      createFolder(join(file, 'a'));
    }).toThrow('ENOTDIR');
  });

  it('rejects a path below /proc at once', () => {
    expect(() => {
      createFolder('/proc/nope/a');
    }).toThrow('ENOENT');
  });
});

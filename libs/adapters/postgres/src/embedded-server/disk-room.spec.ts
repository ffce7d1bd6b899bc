import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { DiskRoom } from './disk-room';

describe('DiskRoom', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stratalog-disk-room-'));
  mkdirSync(join(folder, 'pg_wal'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('permits writes while the disk has room, and looks again after a while', () => {
    let now = 0;
    const room = new DiskRoom(folder, () => now);
    expect(() => {
      room.require();
    }).not.toThrow();
    rmSync(join(folder, 'pg_wal'), { recursive: true });
    now = 99;
    expect(() => {
      room.require();
    }).not.toThrow();
    now = 100;
    expect(() => {
      room.require();
    }).toThrow('pg_wal');
  });
});

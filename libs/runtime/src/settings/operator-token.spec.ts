import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InvalidSettingError } from '@stratalog/domain';
import { OPERATOR_TOKEN_FILE, operatorToken } from './operator-token';

describe('operatorToken', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'stratalog-token-'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it('is made once, random, and for its owner only', () => {
    const folder = join(root, 'a/b');
    const token = operatorToken(folder);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(operatorToken(folder)).toBe(token);
    expect(statSync(join(folder, OPERATOR_TOKEN_FILE)).mode & 0o777).toBe(0o600);
    expect(operatorToken(join(root, 'c'))).not.toBe(token);
  });

  it('is made again where a start was killed before it was written', () => {
    writeFileSync(join(root, OPERATOR_TOKEN_FILE), '', { mode: 0o600 });
    const token = operatorToken(root);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(operatorToken(root)).toBe(token);
  });

  it('may be written by hand', () => {
    writeFileSync(join(root, OPERATOR_TOKEN_FILE), '  a token by hand\n');
    expect(operatorToken(root)).toBe('a token by hand');
  });

  it('names the setting when the folder cannot be used', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => operatorToken(join(root, 'file'))).toThrow(InvalidSettingError);
    expect(() => operatorToken(join(root, 'file'))).toThrow(/^STRATALOG_DATA_DIR: .*file cannot be used: /);
  });
});

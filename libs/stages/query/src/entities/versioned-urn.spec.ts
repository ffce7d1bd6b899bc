import { describe, expect, it } from '@jest/globals';
import { InvalidRequestError } from '@stratalog/domain';
import { parseVersionedUrn } from './versioned-urn';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)';

describe('parseVersionedUrn', () => {
  it.each([
    [URN, []],
    [`(urn:${URN})`, []],
    [`(urn:${URN},versionStamp:)`, []],
    [`(urn:${URN},versionStamp:status:3)`, [['status', 3]]],
    [
      `(versionStamp:status:3;ownership:0,urn:${URN})`,
      [
        ['status', 3],
        ['ownership', 0],
      ],
    ],
    [
      `(urn:${URN},versionStamp:status:3;ownership:12;)`,
      [
        ['status', 3],
        ['ownership', 12],
      ],
    ],
  ])('reads %s', (text, versions) => {
    const read = parseVersionedUrn(text);
    expect([read.urn, [...read.versions]]).toEqual([URN, versions]);
  });

  it.each([
    '(x)',
    `(urn:${URN},versionStamp:status)`,
    `(urn:${URN},versionStamp:status:-1)`,
    `(urn:${URN},versionStamp:status:x;a:1)`,
    `(urn:${URN},versionStamp:a:b:1)`,
  ])('rejects %s', (text) => {
    expect(() => parseVersionedUrn(text)).toThrow(InvalidRequestError);
  });
});

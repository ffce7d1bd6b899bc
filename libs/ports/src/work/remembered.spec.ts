import { describe, expect, it } from '@jest/globals';
import { Remembered } from './remembered';

describe('Remembered', () => {
  let nowMs = 0;
  const counting = () => {
    let reads = 0;
    return new Remembered(
      () => Promise.resolve(++reads),
      100,
      () => nowMs,
    );
  };

  it('reads once for all calls within its time, and again afterwards', async () => {
    const remembered = counting();
    nowMs = 5;
    expect([await remembered.current(), await remembered.current()]).toEqual([1, 1]);
    nowMs = 104;
    expect(await remembered.current()).toBe(1);
    nowMs = 105;
    expect(await remembered.current()).toBe(2);
  });

  it('reads again once it has forgotten', async () => {
    const remembered = counting();
    await remembered.current();
    remembered.forget();
    expect(await remembered.current()).toBe(2);
  });

  it('does not remember a failed read', async () => {
    let fails = true;
    const remembered = new Remembered(
      () => (fails ? Promise.reject(new Error('gone')) : Promise.resolve('there')),
      100,
      () => 0,
    );
    await expect(remembered.current()).rejects.toThrow('gone');
    fails = false;
    expect(await remembered.current()).toBe('there');
  });
});

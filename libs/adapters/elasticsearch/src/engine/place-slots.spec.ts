import { describe, expect, test } from '@jest/globals';
import { phraseTexts, placedText } from './place-slots';

const plain = (token: string): string => token;

describe('placedText', () => {
  test('has three slots for each position, for words and joined words, and none for stems', () => {
    const tokens = [
      { token: 'dimsales', position: 1 },
      { token: 'Sdimsale', position: 1 },
      { token: 'dim', position: 1 },
      { token: 'sales', position: 2 },
      { token: 'Ssale', position: 2 },
    ];
    expect(placedText(tokens, plain)).toBe('dim Jdimsales Z sales Z Z');
    expect(placedText(tokens, (token) => `F1La${token}`)).toBe('F1Ladim F1LaJdimsales Z F1Lasales Z Z');
  });

  test('has one empty position for a gap of any width', () => {
    const tokens = [
      { token: 'a', position: 1 },
      { token: 'b', position: 9 },
    ];
    expect(placedText(tokens, plain)).toBe('a Z Z Z Z Z b Z Z');
  });
});

describe('phraseTexts', () => {
  test('take a word that contains the next one for a joined word too', () => {
    expect(phraseTexts(['dimsale', 'sale'], plain)).toContain('Jdimsale Z sale');
    expect(phraseTexts(['dimsale', 'dim'], plain)).not.toContain('Jdimsale Z dim');
    expect(phraseTexts([`X${Buffer.from('приветsale').toString('hex')}`, 'sale'], plain)).toHaveLength(9);
  });

  test('do not count the words before a long word as joined because of it', () => {
    const texts = phraseTexts(['saleday', 'day', 'q'.repeat(250), 'sale'], plain);
    expect(texts.some((text) => text.startsWith('Jsaleday Z day'))).toBe(true);
    expect(phraseTexts(['q'.repeat(255), 'sale'], plain)).toHaveLength(9);
  });

  test('are limited in number for words that contain each other repeatedly', () => {
    expect(
      phraseTexts(
        Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? 'ab' : 'b')),
        plain,
      ),
    ).toHaveLength(27);
  });
});

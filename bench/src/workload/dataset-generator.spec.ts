import { describe, expect, it } from '@jest/globals';
import { DatasetGenerator } from './dataset-generator';

describe('DatasetGenerator', () => {
  const datasets = new DatasetGenerator();

  it('makes the same dataset of the same number', () => {
    expect(new DatasetGenerator().at(421)).toEqual(datasets.at(421));
  });

  it('gives every dataset a urn of its own and 10 to 30 words', () => {
    const some = Array.from({ length: 25_000 }, (_, index) => datasets.at(index));
    expect(new Set(some.map(({ urn }) => urn)).size).toBe(some.length);
    expect(Math.min(...some.map(({ words }) => words.length))).toBe(10);
    expect(Math.max(...some.map(({ words }) => words.length))).toBe(30);
  });

  it('uses few words often and many words hardly ever', () => {
    const documents = new Map<string, number>();
    for (let index = 0; index < 2_000; index++) {
      for (const word of new Set(datasets.at(index).words))
        documents.set(word, (documents.get(word) ?? 0) + 1);
    }
    const counts = [...documents.values()].sort((a, b) => b - a);
    expect(counts[0]).toBeGreaterThan(1_000);
    expect(counts[100]).toBeLessThan(100);
    expect(counts.filter((count) => count === 1).length).toBeGreaterThan(2_000);
  });
});

import type { PartitionSequences } from '@stratalog/domain';
import type { SearchIndex } from '@stratalog/ports';
import { Vocabulary } from '@stratalog/search-text';

/** Most words of a vocabulary. */
const MAX_WORDS = 50_000;
/** Shortest time between two reads of a vocabulary. */
const MIN_AGE_MS = 1_000;
/** A read may take at most this part of the time between reads. */
const READ_SHARE = 50;

interface KnownVocabulary {
  readonly index: string;
  readonly position: string;
  readonly freshUntilMs: number;
  readonly vocabulary: Vocabulary;
}

/**
 * Keeps the vocabulary of the live index in memory. It reads the words again when the index has changed, but so seldom
 * that reading takes a fiftieth of the time at most.
 */
export class Vocabularies {
  private known: KnownVocabulary | undefined;
  private reading: Promise<Vocabulary> | undefined;

  /** Returns the vocabulary of an index, which may lack the words of the last seconds. */
  async of(index: SearchIndex, position: PartitionSequences): Promise<Vocabulary> {
    const at = JSON.stringify([...position].sort(([one], [other]) => one - other));
    const { known } = this;
    if (known?.index === index.name) {
      if (known.position === at || performance.now() < known.freshUntilMs) return known.vocabulary;
    }
    this.reading ??= this.read(index, at).finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async read(index: SearchIndex, position: string): Promise<Vocabulary> {
    const beganMs = performance.now();
    const vocabulary = new Vocabulary(await index.readWords(MAX_WORDS));
    const endedMs = performance.now();
    const freshUntilMs = endedMs + Math.max(MIN_AGE_MS, READ_SHARE * (endedMs - beganMs));
    this.known = { index: index.name, position, freshUntilMs, vocabulary };
    return vocabulary;
  }
}

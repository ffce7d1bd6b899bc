import { readFileSync } from 'node:fs';
import { InvalidSettingError } from '@stratalog/domain';
import { Synonyms, USUAL_SYNONYMS } from '@stratalog/search-text';

/**
 * Reads the list of synonyms of searches.
 *
 * **Errors**: `InvalidSettingError` for a file that cannot be read, and for a line that is none of a list.
 */
export function readSynonyms(file: string | undefined): Synonyms {
  if (file === undefined) return USUAL_SYNONYMS;
  try {
    return Synonyms.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { message } = error as Error;
    throw new InvalidSettingError(
      `STRATALOG_SYNONYMS is "${file}"; allowed: a list of synonyms. ${message}`,
      {
        cause: error,
      },
    );
  }
}
